import { isClear, surfaceColour, wallColour, type Theme } from './colours';
import { grainOf } from './grain';
import { placeTerrain } from './terrain';
import { markAt, type Box, type Mark, type Piece, type TrackPlan } from './track_plan';

/** What a part of the map is painted with and for. */
export interface Paint {
  g: CanvasRenderingContext2D; // its unit is a metre
  theme: Theme;
  box: Box; // what is seen of the world
  pxPerM: number; // of the screen's own pixels
  density: number; // of them to a pixel of the layout
  terrain: HTMLCanvasElement | null;
}

const ROAD_PX_MIN = 5;
const ARROW_M_MIN = 3.4;
const ARROW_PX_MIN = 7;
const CHEQUERS = 8;
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

function paintKerbs(paint: Paint, plan: TrackPlan): void {
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
  if (pxPerM < 0.3 * density) return;
  for (const { material, piece } of plan.walls) {
    g.strokeStyle = wallColour(theme, material);
    const tyres = material === 'tyre-wall';
    if (tyres && pxPerM > 4 * density) g.setLineDash([0.6, 0.12]);
    stroke(paint, [piece], tyres ? 1 : 0.35, 1);
    g.setLineDash([]);
  }
}

/** A road so thin that its edges would be all there is to it. */
function paintThinRoad(paint: Paint, plan: TrackPlan): boolean {
  const { g, theme, pxPerM, density } = paint;
  if (plan.widthM * pxPerM >= ROAD_PX_MIN * density) return false;
  g.lineJoin = 'round';
  g.strokeStyle = theme['road-edge'];
  g.lineWidth = ((ROAD_PX_MIN + 2) * density) / pxPerM;
  g.stroke(plan.middle);
  g.strokeStyle = theme.road;
  g.lineWidth = (ROAD_PX_MIN * density) / pxPerM;
  g.stroke(plan.middle);
  return true;
}

function paintRoad(paint: Paint, plan: TrackPlan): void {
  const { g, theme } = paint;
  if (plan.road.length === 0 || paintThinRoad(paint, plan)) return;
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

/** Where most drive the road is darker. */
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
  if (plan.widthM * paint.pxPerM < ROAD_PX_MIN * paint.density) return;
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
  const acrossM = Math.max(plan.widthM, (13 * density) / pxPerM);
  const squareM = acrossM / CHEQUERS;
  acrossRoad(paint, plan.finish, () => {
    g.fillStyle = '#ffffff';
    g.fillRect(-squareM, -acrossM / 2, 2 * squareM, acrossM);
    g.fillStyle = '#000000';
    for (let i = 0; i < CHEQUERS; i++) {
      const row = i % 2 === 0 ? -squareM : 0;
      g.fillRect(row, i * squareM - acrossM / 2, squareM, squareM);
    }
  }, acrossM);
}

function paintSectors(paint: Paint, plan: TrackPlan): void {
  const { g, theme, pxPerM, density } = paint;
  const acrossM = Math.max(plan.widthM + 1, (11 * density) / pxPerM);
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
  const { g, theme } = paint;
  for (const bridge of plan.bridges) {
    if (!seen(paint, bridge.road.box, 6)) continue;
    g.lineJoin = 'round';
    g.strokeStyle = theme.shade;
    g.globalAlpha = 0.22;
    stroke(paint, [bridge.sides], 5, 3);
    g.globalAlpha = 1;
    g.strokeStyle = theme.bridge;
    stroke(paint, [bridge.sides], 2.2, 1.6);
    fill(paint, bridge.road, theme.road);
    g.strokeStyle = theme['road-edge'];
    stroke(paint, [bridge.sides], 0.16, 1);
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
  paintRoad(paint, plan);
  for (const { surface, piece } of plan.patches) {
    fill(paint, piece, surfaceColour(theme, surface));
  }
  paintEdges(paint, plan);
  paintKerbs(paint, plan);
  paintGrid(paint, plan);
  paintArrows(paint, plan);
  paintSectors(paint, plan);
  paintFinish(paint, plan);
  paintWalls(paint, plan);
  paintBridges(paint, plan);
}
