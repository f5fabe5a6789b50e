// The track painter paints roads, kerbs, walls and lines of a part of the map.
import { isClear, surfaceColour, wallColour, type Theme } from './colours';
import { grainOf } from './grain';
import { roadPx } from './road_width';
import { placeTerrain } from './terrain';
import { markAt, type Box, type Mark, type Piece, type TrackPlan } from './track_plan';

/** The means and the area with which a part of the map is painted. */
export interface Paint {
  g: CanvasRenderingContext2D; // its unit is a metre
  theme: Theme;
  box: Box; // the part of the world that is seen
  pxPerM: number; // of the screen's own pixels
  density: number; // of them to a pixel of the layout
  roadPxMin: number; // of the screen's own: narrower no road is drawn
  terrain: HTMLCanvasElement | null;
}

const EDGE_PX = 1.25; // beside a road that is drawn wider than it is
const KERB_PX = 2;
const VERGE_PX = 4.5;
const ARROW_M_MIN = 3.4;
const ARROW_PX_MIN = 7;
const CHEQUERS = 8;
const CHEQUERS_SMALL = 6;
const GRAIN_FROM = 2.2; // pixels of the layout to a metre

function seen(paint: Paint, box: Box, marginM: number): boolean {
  const { west, south, east, north } = paint.box;
  return (
    box.west - marginM < east &&
    box.east + marginM > west &&
    box.south - marginM < north &&
    box.north + marginM > south
  );
}

function fill(paint: Paint, piece: Piece, colour: string): void {
  if (!seen(paint, piece.box, 0)) return;
  paint.g.fillStyle = colour;
  paint.g.fill(piece.path);
}

/** Strokes that are never thinner than some pixels. */
function stroke(paint: Paint, pieces: readonly Piece[], widthM: number, px: number): void {
  const width = Math.max(widthM, (px * paint.density) / paint.pxPerM);
  paint.g.lineWidth = width;
  for (const piece of pieces) {
    if (seen(paint, piece.box, width)) paint.g.stroke(piece.path);
  }
}

/** By how much a road is drawn wider than it is, in metres. */
export function widenedM(paint: Paint, plan: TrackPlan): number {
  const truePx = plan.widthM * paint.pxPerM;
  return (roadPx(truePx, paint.roadPxMin) - truePx) / paint.pxPerM;
}

/** Too much for what lies beside the road to be drawn in its true place. */
function isWide(paint: Paint, plan: TrackPlan): boolean {
  return plan.road.length > 0 && widenedM(paint, plan) * paint.pxPerM > 2 * paint.density;
}

function paintKerbs(paint: Paint, plan: TrackPlan): void {
  if (isWide(paint, plan)) return; // paintWideRoad has
  const striped = paint.pxPerM > 1.6 * paint.density;
  for (const { piece, stripes } of plan.kerbs) {
    if (!seen(paint, piece.box, 0)) continue;
    fill(paint, piece, paint.theme.kerb);
    if (!striped) continue;
    paint.g.fillStyle = paint.theme['kerb-light'];
    paint.g.fill(stripes);
  }
}

function paintWalls(paint: Paint, plan: TrackPlan): void {
  const { g, theme, pxPerM, density } = paint;
  if (pxPerM < 0.3 * density || isWide(paint, plan)) return;
  for (const { material, piece } of plan.walls) {
    g.strokeStyle = wallColour(theme, material);
    const tyres = material === 'tyre-wall';
    if (tyres && pxPerM > 4 * density) g.setLineDash([0.6, 0.12]);
    stroke(paint, [piece], tyres ? 1 : 0.35, 1);
    g.setLineDash([]);
  }
}

/**
 * Draws the road as a line where its true shape would not be seen: on terrain, which has a surface
 * of its own, and where most of the width is added.
 */
function paintFarRoad(paint: Paint, plan: TrackPlan, wideM: number): void {
  const { g, theme, pxPerM, density } = paint;
  const line = (colour: string, besidePx: number): void => {
    g.strokeStyle = colour;
    g.lineWidth = plan.widthM + wideM + (2 * besidePx * density) / pxPerM;
    g.stroke(plan.far);
  };
  g.lineJoin = 'round';
  if (!paint.terrain) line(theme.grass, VERGE_PX);
  line(theme['road-edge'], EDGE_PX);
  if (!paint.terrain) paintFarKerbs(paint, plan, wideM);
  line(theme.road, 0);
}

/** Draws the part of kerbs that reaches beyond a road that is drawn wider than it is. */
function paintFarKerbs(paint: Paint, plan: TrackPlan, wideM: number): void {
  const { g, theme, pxPerM, density } = paint;
  g.strokeStyle = theme.kerb;
  g.lineJoin = 'bevel';
  for (const { sides } of plan.kerbs) {
    stroke(paint, [sides], wideM + (2 * KERB_PX * density) / pxPerM, 0);
  }
}

/** The road's own shape with a rim of its colour, and outside of that its edges and kerbs. */
function paintWideRoad(paint: Paint, plan: TrackPlan, wideM: number): void {
  const { g, theme, pxPerM, density } = paint;
  const rim = (besidePx: number): number => wideM + (2 * besidePx * density) / pxPerM;
  g.lineJoin = 'bevel';
  g.strokeStyle = theme['road-edge'];
  stroke(paint, plan.rims, rim(EDGE_PX), 0);
  if (isWide(paint, plan)) paintFarKerbs(paint, plan, wideM);
  for (const piece of plan.road) fill(paint, piece, theme.road);
  g.strokeStyle = theme.road;
  stroke(paint, plan.rims, wideM, 0);
}

function paintRoad(paint: Paint, plan: TrackPlan): void {
  const { g, theme } = paint;
  if (plan.road.length === 0) return;
  const wideM = widenedM(paint, plan);
  if (wideM > 0) {
    if (paint.terrain || wideM > plan.widthM) paintFarRoad(paint, plan, wideM);
    else paintWideRoad(paint, plan, wideM);
    return;
  }
  // On terrain, which has a surface of its own, a course is only marked.
  g.globalAlpha = paint.terrain ? 0.62 : 1;
  if (paint.terrain) {
    g.fillStyle = theme.road;
    const whole = new Path2D();
    for (const piece of plan.road) if (seen(paint, piece.box, 0)) whole.addPath(piece.path);
    g.fill(whole);
  } else {
    for (const piece of plan.road) fill(paint, piece, theme.road);
  }
  g.globalAlpha = 1;
  paintRubber(paint, plan);
}

/** Darkens the road where most drive. */
function paintRubber(paint: Paint, plan: TrackPlan): void {
  const { g, theme, pxPerM, density } = paint;
  if (pxPerM < GRAIN_FROM * density || paint.terrain) return;
  g.lineJoin = 'round';
  g.strokeStyle = theme.shade;
  g.globalAlpha = 0.025;
  for (const share of [0.8, 0.55, 0.3]) {
    g.lineWidth = plan.widthM * share;
    g.stroke(plan.middle);
  }
  g.globalAlpha = 1;
}

function paintEdges(paint: Paint, plan: TrackPlan): void {
  if (widenedM(paint, plan) > 0) return;
  paint.g.strokeStyle = paint.theme['road-edge'];
  paint.g.lineJoin = 'round';
  stroke(paint, plan.edges, 0.16, 1);
}

function acrossRoad(paint: Paint, mark: Mark, draw: () => void, marginM = 30): void {
  const { g } = paint;
  const box = { west: mark.x, east: mark.x, south: mark.y, north: mark.y };
  if (!seen(paint, box, marginM)) return;
  g.save();
  g.translate(mark.x, mark.y);
  g.rotate(mark.yaw);
  draw();
  g.restore();
}

function paintFinish(paint: Paint, plan: TrackPlan): void {
  const { g, pxPerM, density } = paint;
  if (plan.finish === null) return;
  const roadM = plan.widthM + widenedM(paint, plan);
  const isSmall = roadM > plan.widthM;
  const acrossM = isSmall ? roadM + (5 * density) / pxPerM : roadM;
  const squares = isSmall ? CHEQUERS_SMALL : CHEQUERS;
  const squareM = acrossM / squares;
  acrossRoad(paint, plan.finish, () => {
    g.fillStyle = '#ffffff';
    g.fillRect(-squareM, -acrossM / 2, 2 * squareM, acrossM);
    g.fillStyle = '#000000';
    for (let i = 0; i < squares; i++) {
      const row = i % 2 === 0 ? -squareM : 0;
      g.fillRect(row, i * squareM - acrossM / 2, squareM, squareM);
    }
  }, acrossM);
}

function paintSectors(paint: Paint, plan: TrackPlan): void {
  const { g, theme, pxPerM, density } = paint;
  const acrossM = plan.widthM + widenedM(paint, plan) + Math.max(1, (4 * density) / pxPerM);
  const thickM = Math.max(0.4, (2 * density) / pxPerM);
  for (const mark of plan.sectors) {
    acrossRoad(paint, mark, () => {
      g.fillStyle = theme.sector;
      g.fillRect(-thickM / 2, -acrossM / 2, thickM, acrossM);
    }, acrossM);
  }
}

/** Chevrons that say which way round. */
function paintArrows(paint: Paint, plan: TrackPlan): void {
  const { g, theme, pxPerM, density } = paint;
  const { lapM, lengthM, finishM, closed } = plan.outline;
  if (plan.finish === null || lengthM <= 0) return;
  const fromM = closed ? finishM : lapM[0]!;
  const wayM = closed ? lengthM : lapM[lapM.length - 1]! - fromM;
  const sizeM = Math.max(ARROW_M_MIN, (ARROW_PX_MIN * density) / pxPerM);
  const many = Math.max(1, Math.round(wayM / Math.max(90, (170 * density) / pxPerM)));
  g.strokeStyle = theme.arrow;
  g.lineWidth = sizeM * 0.26;
  g.lineCap = 'round';
  g.lineJoin = 'round';
  for (let i = 0; i < many; i++) {
    const atM = fromM + ((i + 0.5) * wayM) / many;
    const mark = markAt(plan.outline, closed ? atM % lengthM : atM);
    if (mark === null) return;
    acrossRoad(paint, mark, () => {
      g.beginPath();
      g.moveTo(-sizeM * 0.3, -sizeM * 0.5);
      g.lineTo(sizeM * 0.3, 0);
      g.lineTo(-sizeM * 0.3, sizeM * 0.5);
      g.stroke();
    }, sizeM);
  }
  g.lineCap = 'butt';
}

function paintGrid(paint: Paint, plan: TrackPlan): void {
  const { g, theme, pxPerM, density } = paint;
  if (pxPerM < 1.4 * density) return;
  g.strokeStyle = theme.paint;
  g.lineWidth = Math.max(0.14, (0.8 * density) / pxPerM);
  for (const box of plan.outline.grid) {
    acrossRoad(paint, box, () => {
      g.beginPath();
      g.moveTo(1.3, -1.3);
      g.lineTo(2.6, -1.3);
      g.lineTo(2.6, 1.3);
      g.lineTo(1.3, 1.3);
      g.stroke();
    }, 4);
  }
}

function paintPit(paint: Paint, plan: TrackPlan): void {
  if (plan.pit === null) return;
  fill(paint, plan.pit, paint.theme.pit);
  paint.g.strokeStyle = paint.theme['road-edge'];
  paint.g.globalAlpha = 0.6;
  stroke(paint, [plan.pit], 0.14, 0.8);
  paint.g.globalAlpha = 1;
}

/** Bridges lie over all else, the higher ones last; with a shadow on what is below. */
export function paintBridges(paint: Paint, plan: TrackPlan): void {
  const { g, theme, pxPerM, density } = paint;
  const wideM = plan.bridges.length > 0 ? widenedM(paint, plan) : 0;
  const onePxM = density / pxPerM;
  for (const bridge of plan.bridges) {
    if (!seen(paint, bridge.road.box, 6)) continue;
    g.lineJoin = 'round';
    g.strokeStyle = theme.shade;
    g.globalAlpha = 0.22;
    stroke(paint, [bridge.sides], Math.max(5, 3 * onePxM) + wideM, 0);
    g.globalAlpha = 1;
    g.strokeStyle = theme.bridge;
    stroke(paint, [bridge.sides], Math.max(2.2, 1.6 * onePxM) + wideM, 0);
    fill(paint, bridge.road, theme.road);
    g.strokeStyle = theme['road-edge'];
    stroke(paint, [bridge.sides], Math.max(0.16, onePxM) + wideM, 0);
    if (wideM === 0) continue;
    g.strokeStyle = theme.road;
    stroke(paint, [bridge.sides], wideM, 0);
  }
}

/** So that the ground can be seen to move, where nothing else is near. */
function paintGrain(paint: Paint, alpha: number): void {
  const { g, box, pxPerM, density } = paint;
  const nearness = Math.min(1, (pxPerM / density - GRAIN_FROM) / GRAIN_FROM);
  if (nearness <= 0 || isClear(paint.theme.land)) return;
  g.globalAlpha = alpha * nearness;
  g.fillStyle = grainOf(g);
  g.fillRect(box.west - 1, box.south - 1, box.east - box.west + 2, box.north - box.south + 2);
  g.globalAlpha = 1;
}

function paintPatches(paint: Paint, plan: TrackPlan): void {
  for (const { surface, piece } of plan.patches) {
    fill(paint, piece, surfaceColour(paint.theme, surface));
  }
}

/** Everything that stands still, from below to above. */
export function paintTrack(paint: Paint, plan: TrackPlan): void {
  const { g, theme, box } = paint;
  const [acrossM, upM] = [box.east - box.west + 2, box.north - box.south + 2];
  g.clearRect(box.west - 1, box.south - 1, acrossM, upM);
  g.fillStyle = theme.land;
  g.fillRect(box.west - 1, box.south - 1, acrossM, upM);
  const { terrain } = plan.outline;
  if (terrain && paint.terrain) placeTerrain(g, terrain, paint.terrain);
  for (const { surface, piece } of plan.grounds) {
    fill(paint, piece, surfaceColour(theme, surface));
  }
  paintGrain(paint, 0.3);
  paintPit(paint, plan);
  const patchesFirst = isWide(paint, plan); // surfaces beside the road must not cut into it
  if (patchesFirst) paintPatches(paint, plan);
  paintRoad(paint, plan);
  if (!patchesFirst) paintPatches(paint, plan);
  paintEdges(paint, plan);
  paintKerbs(paint, plan);
  paintGrid(paint, plan);
  paintArrows(paint, plan);
  paintSectors(paint, plan);
  paintFinish(paint, plan);
  paintWalls(paint, plan);
  paintBridges(paint, plan);
}
