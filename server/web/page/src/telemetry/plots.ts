import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { el } from '../ui/dom';
import { colour, onTheme } from '../ui/theme';

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

/** A plot that is fed anew each time; nothing of it moves by itself. */
export class Plot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private widthPx = 0;
  private data: uPlot.AlignedData;
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
  }

  private build(): void {
    this.plot?.destroy();
    this.isStale = false;
    const { series, heightPx, range, ticks } = this.wish;
    const grid = { stroke: colour('--line'), width: 1 };
    const axis = { stroke: colour('--text-soft'), grid, ticks: { show: false }, font: FONT };
    this.plot = new uPlot(
      {
        width: this.widthPx,
        height: heightPx,
        padding: [6, 16, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: (_, min, max) => range(min, max) } },
        axes: [
          { ...axis, size: 20, gap: 2, values: (_, splits) => splits.map(ticks) },
          { ...axis, size: 34, gap: 2, space: 24 },
        ],
        series: [{}, ...series.map((each) => seriesOf(each))],
      },
      this.data,
      this.element.querySelector<HTMLElement>('.plot-box')!,
    );
  }
}

const FONT = '10px system-ui, sans-serif';

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
