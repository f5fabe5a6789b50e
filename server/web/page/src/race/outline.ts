import type { Instance } from './instance';
import type { TrackOutline } from './race';

export function readOutline(_instance: Instance): TrackOutline | null {
  return null;
}
