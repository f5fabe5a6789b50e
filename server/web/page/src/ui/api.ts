/** The answers of the JSON API. What is not there yet, or of another version, is missing. */

export interface RaceInfo {
  id: number;
  name?: string;
  track?: string;
  phase?: string;
  race_number?: number;
  race_time_s?: number;
  laps?: number;
  players?: number;
  player_capacity?: number;
  clients?: number;
  password_needed?: boolean;
  watching_open?: boolean; // needs none
  cars?: string[];
  live?: string;
}

export interface ReplayInfo {
  name: string;
  bytes?: number;
  modified_s?: number;
  race?: string;
  track?: string;
  ticks?: number | null;
  tick_hz?: number;
  cars?: string[];
  live?: string;
  error?: string;
}

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: no answer
    message: string,
  ) {
    super(message);
  }
}

/** Asks for JSON. @throws ApiError with the server's sentence */
export async function api<T>(path: string, options: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(10000);
    response = await fetch(path, { cache: 'no-store', signal, ...options });
  } catch {
    throw new ApiError(0, 'The server does not answer.');
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, errorText(response.status, body));
  return body as T;
}

/** The server's own sentence where it has one. */
export function errorText(status: number, body: unknown): string {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const text = (body as { error: unknown }).error;
    if (typeof text === 'string' && text !== '') return text;
  }
  if (status === 401) return 'The token is wrong, or missing.';
  if (status === 403) return 'This server lets nobody operate it from the web.';
  if (status === 404) return 'There is no such thing on this server.';
  return `The server answered ${status}.`;
}

/** A list, whatever came. */
export function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
