// Orders go to the API with the operator's token, which the tab keeps.
import { api, ApiError } from '../ui/api';

const KEY = 'apex.token';

/** The operator's token: for this tab alone, and never in an address. */
export class Token {
  private token: string;

  constructor() {
    let kept: string | null = null;
    try {
      kept = sessionStorage.getItem(KEY);
    } catch {
      // Not kept, then.
    }
    this.token = kept ?? '';
  }

  get value(): string {
    return this.token;
  }

  set(token: string): void {
    this.token = token;
    try {
      if (token === '') sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, token);
    } catch {
      // Then it is good until the page is left.
    }
  }
}

export type Order = 'say' | 'kick' | 'lockdown' | 'start' | 'restart' | 'quit';

/** A token goes into a header: no line ends, nothing beyond what headers carry. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]{1,127}$/.test(text);
}

export function ask<T>(token: string, path: string): Promise<T> {
  return api<T>(path, { headers: { Authorization: `Bearer ${token}` } });
}

/** Gives an order. @return what the server says it has done */
export async function give(
  token: string,
  race: number,
  order: Order,
  body: object,
): Promise<string> {
  const answer = await api<{ done?: unknown }>(`/api/races/${race}/${order}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return typeof answer?.done === 'string' ? answer.done : 'done';
}

/** The sentence that an operator is told of a failure. */
export function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  if (error.status === 401) return `Refused: ${error.message}`;
  return error.message;
}
