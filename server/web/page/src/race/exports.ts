/** client-lite/wasm/exports.h, for TypeScript. */
import type { Reason } from './race';

export interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  input(bytes: number): number;
  begin(inputLength: number, port: number, wishes: number): number;
  link_opened(nowUs: number): void;
  link_closed(nowUs: number): void;
  link_received(length: number, nowUs: number): void;
  was_deaf(nowUs: number): void;
  update(nowUs: number): void;
  leave(nowUs: number): void;
  next_try(): number;
  try_now(nowUs: number): void;
  state(): number;
  lay_ground(length: number): number;
  laid_bytes(): number;
  track_def(): number;
  awaits_ground(): number;
  ground_room(bytes: number): number;
  take_ground(length: number, nowUs: number): void;
  news(): number;
  text(subject: number): number;
  text_bytes(): number;
  stats(): number;
  poses(nowUs: number): number;
  told_poses(nowUs: number): number;
  pose_rows(): number;
  touches(): number;
  touch_rows(): number;
  car_shape(nameLength: number): number;
  outline(): number;
  outline_done(): void;
  controls(): number;
  set_controls(): void;
  focus(car: number): void;
  play(play: number, speedPermille: number, seek: number): void;
}

/** The content of the text of Subject.status. */
export interface Status {
  player: number;
  car: number;
  closeReason: Reason | null;
  reject: Reason | null;
}
