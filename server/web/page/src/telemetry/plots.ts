// Plots over time with shared ticks, drawn by uPlot.
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { el } from '../ui/dom';
import { colour, onTheme } from '../ui/theme';
import { roundTicks } from './ticks';

export interface PlotSeries {
  label: string;
  colour: string; // a custom property of page.css
  dashed?: boolean;
  fill?: boolean;
}

export interface PlotWish {
  title: string;
  series: PlotSeries[];
  heightPx: number;
  range: (min: number, max: number) => [number, number]; // of y
  ticks: (value: number) => string; // of x
}

const LEFT_PX = 34; // room for the numbers of y, and below for those of x
const BELOW_PX = 20;
const ABOVE_PX = 6;
const RIGHT_PX = 16;
const X_APART_PX = 56;
const Y_APART_PX = 26;

/**
 * A plot that is fed anew each time; nothing of it moves by itself. Its numbers are elements beside
 * the canvas: they hardly ever change, and text is what costs most on a canvas.
 */
export class Plot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private widthPx = 0;
  private data: uPlot.AlignedData;
  private readonly box: HTMLElement;
  private readonly numbers = el('div', { class: 'plot-numbers', 'aria-hidden': 'true' });
  private numbered = '';
  private isStale = false;
  private readonly hearNoMore: () => void;

  constructor(private readonly wish: PlotWish) {
    this.data = [[], ...wish.series.map(() => [])] as unknown as uPlot.AlignedData;
    const legend = el('div', { class: 'plot-legend' });
    for (const { label, colour: name } of wish.series) {
      const key = el('span', { class: 'plot-key' }, label);
      key.style.setProperty('--key', `var(${name})`);
      legend.append(key);
    }
    const box = el('div', { class: 'plot-box', role: 'img', 'aria-label': wish.title });
    box.style.height = `${wish.heightPx}px`;
    box.append(this.numbers);
    this.box = box;
    this.element = el('div', { class: 'plot' }, legend, box);
    new ResizeObserver((entries) => {
      this.widthPx = Math.floor(entries[entries.length - 1]!.contentRect.width);
      if (this.plot !== null && this.widthPx > 40) {
        this.plot.setSize({ width: this.widthPx, height: wish.heightPx });
      }
    }).observe(box);
    this.hearNoMore = onTheme(() => (this.isStale = true));
  }

  end(): void {
    this.hearNoMore();
    this.plot?.destroy();
    this.plot = null;
  }

  draw(data: readonly ArrayLike<number | null>[], fromX: number, toX: number): void {
    if (this.widthPx <= 40) return;
    if (this.plot === null || this.isStale) this.build();
    const plot = this.plot!;
    this.data = data as unknown as uPlot.AlignedData;
    plot.batch(() => {
      plot.setData(this.data, false);
      plot.setScale('x', { min: fromX, max: toX });
    });
    const { min, max } = plot.scales['y']!;
    if (min != null && max != null) this.number(fromX, toX, min, max);
  }

  private xTicks(min: number, max: number): number[] {
    const room = this.widthPx - LEFT_PX - RIGHT_PX;
    return roundTicks(min, max, 1 + Math.floor(room / X_APART_PX));
  }

  private yTicks(min: number, max: number): number[] {
    const room = this.wish.heightPx - ABOVE_PX - BELOW_PX;
    return roundTicks(min, max, 1 + Math.floor(room / Y_APART_PX));
  }

  /** Puts the numbers where they belong, if they have changed. */
  private number(fromX: number, toX: number, fromY: number, toY: number): void {
    const key = [fromX, toX, fromY, toY, this.widthPx].join();
    if (key === this.numbered) return;
    this.numbered = key;
    const { heightPx, ticks } = this.wish;
    const wide = this.widthPx - LEFT_PX - RIGHT_PX;
    const high = heightPx - ABOVE_PX - BELOW_PX;
    const x = this.xTicks(fromX, toX).map((value) => {
      const number = el('span', { class: 'plot-x' }, ticks(value));
      number.style.left = `${LEFT_PX + (wide * (value - fromX)) / (toX - fromX)}px`;
      return number;
    });
    const y = this.yTicks(fromY, toY).map((value) => {
      const number = el('span', { class: 'plot-y' }, String(value));
      number.style.top = `${ABOVE_PX + (high * (toY - value)) / (toY - fromY)}px`;
      return number;
    });
    this.numbers.replaceChildren(...x, ...y);
  }

  private build(): void {
    this.plot?.destroy();
    this.isStale = false;
    const { series, heightPx, range } = this.wish;
    const grid = { stroke: colour('--line'), width: 1 };
    const values = (_: uPlot, splits: number[]) => splits.map(() => null);
    const axis = { grid, ticks: { show: false }, gap: 0, values };
    this.plot = new uPlot(
      {
        width: this.widthPx,
        height: heightPx,
        padding: [ABOVE_PX, RIGHT_PX, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: (_, min, max) => range(min, max) } },
        axes: [
          { ...axis, size: BELOW_PX, splits: (_, __, min, max) => this.xTicks(min, max) },
          { ...axis, size: LEFT_PX, splits: (_, __, min, max) => this.yTicks(min, max) },
        ],
        series: [{}, ...series.map((each) => seriesOf(each))],
      },
      this.data,
      this.box,
    );
  }
}

function seriesOf(wish: PlotSeries): uPlot.Series {
  const stroke = colour(wish.colour);
  return {
    stroke,
    width: 1.5,
    points: { show: false },
    spanGaps: false,
    ...(wish.dashed === true ? { dash: [4, 3] } : {}),
    ...(wish.fill === true ? { fill: `color-mix(in srgb, ${stroke} 18%, transparent)` } : {}),
  };
}
