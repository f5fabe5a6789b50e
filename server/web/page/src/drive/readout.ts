// The driver's figures and the gravest warning, read ten times a second.
import { CarFlag, type Session } from '../race/race';
import type { HudTick } from './hud';
import type { LapBook } from './lap_book';
import { goesWrongWay, lapYaw } from './car_motion';
import type { OwnCar } from './own_car';
import { aheadText, behindText, lapText, ownOrder, placeText } from './own_order';

/** The gravest thing that a driver has to know. */
export function warningOf(flags: number, isWrongWay: boolean): { text: string; isGrave: boolean } {
  if ((flags & CarFlag.engineBlown) !== 0) return { text: 'Engine blown', isGrave: true };
  if (isWrongWay) return { text: 'Wrong way', isGrave: true };
  if ((flags & CarFlag.offRoad) !== 0) return { text: 'Off track', isGrave: false };
  if ((flags & CarFlag.ghost) !== 0) return { text: 'Ghost: nobody hits you', isGrave: false };
  return { text: '', isGrave: false };
}

function isWrongWay(session: Session, car: OwnCar): boolean {
  const track = session.track();
  const telemetry = session.telemetry();
  if (track === null || telemetry === null || telemetry.car !== session.car()) return false;
  const yaw = lapYaw(track, telemetry.lapM);
  return yaw !== null && goesWrongWay(car.get('vx'), car.get('vy'), yaw);
}

/** The figures that the display shows ten times a second. */
export function figuresOf(
  session: Session,
  car: OwnCar,
  laps: LapBook,
): Omit<HudTick, 'gearbox'> {
  const order = ownOrder(session.standings(), session.player(), session.raceState());
  const lengthM = session.track()?.lengthM ?? 0;
  const { rttMs, predictedTick } = session.stats();
  const warning = warningOf(car.get('flags'), isWrongWay(session, car));
  return {
    lapText: lapText(order, session.raceState()?.laps ?? 0),
    lapS: laps.lapS(car.get('tick')),
    lastLapUs: order?.line.lastLapUs ?? 0,
    bestLapUs: order?.line.bestLapUs || laps.bestLapUs(),
    deltaS: laps.deltaS(),
    place: placeText(order),
    ahead: aheadText(order, lengthM),
    behind: behindText(order, lengthM),
    warning: warning.text,
    isGrave: warning.isGrave,
    damage: car.get('damage'),
    rttMs,
    isPredicted: predictedTick > 0,
  };
}
