import type { Health, ProviderFaultCode } from './marketplace.schema.ts'

export interface HealthState {
  health: Health
  /** In a row. */
  failures: number
  pausedUntil: Date | null
}

/** A request went well, or its service failed it. What is the matter with one message says nothing of the service. */
export type HealthEvent = 'ok' | Exclude<ProviderFaultCode, 'message-refused' | 'provider-paused'>

export const UNTESTED: HealthState = { health: 'untested', failures: 0, pausedUntil: null }

/** After so many failures in a row the service is left in peace. */
export const FAILURES_BEFORE_PAUSE = 5
const FIRST_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 15 * 60_000
/** While one request tries whether a service is back, the others wait this long. */
const TRIAL_TIMEOUT_MS = 30_000

/** How an installation stands after what just happened. Being told to slow down is no failure. */
export function computeNextHealth(state: HealthState, event: HealthEvent, now: Date): HealthState {
  if (event === 'ok') return { health: 'working', failures: 0, pausedUntil: null }
  if (event === 'provider-busy') return state.health === 'untested' ? { ...state, health: 'working' } : state
  const failures = state.failures + 1
  if (failures < FAILURES_BEFORE_PAUSE) return { health: 'failing', failures, pausedUntil: null }
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - FAILURES_BEFORE_PAUSE))
  return { health: 'down', failures, pausedUntil: new Date(now.getTime() + pause) }
}

/**
 * Whether a request may be sent now. Of a service that was left in peace long enough one request tries whether it is back: `trial`
 * is the state that keeps the others waiting meanwhile.
 */
export function checkCircuitBreaker({ health, failures, pausedUntil }: HealthState, now: Date): { ok: boolean; trial?: HealthState } {
  if (health !== 'down' || !pausedUntil) return { ok: true }
  if (pausedUntil > now) return { ok: false }
  return { ok: true, trial: { health, failures, pausedUntil: new Date(now.getTime() + TRIAL_TIMEOUT_MS) } }
}
