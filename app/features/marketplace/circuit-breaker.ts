import type { Health, ProviderFaultCode } from '#app/lib/vocabulary/marketplace.ts'

export interface HealthState {
  health: Health
  /** Consecutive failures. */
  failures: number
  pausedUntil: Date | null
}

/** A successful request or a failure of the service. A refused message says nothing about the service. */
export type HealthEvent = 'ok' | Exclude<ProviderFaultCode, 'message-refused' | 'provider-paused'>

export const UNTESTED: HealthState = { health: 'untested', failures: 0, pausedUntil: null }

/** Consecutive failures before the service is paused. */
export const FAILURES_BEFORE_PAUSE = 5
const FIRST_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 15 * 60_000
/** How long other requests wait for a trial request. */
const TRIAL_TIMEOUT_MS = 30_000

/** Health after an event. Being asked to slow down is not a failure. */
export function computeNextHealth(state: HealthState, event: HealthEvent, now: Date): HealthState {
  if (event === 'ok') return { health: 'working', failures: 0, pausedUntil: null }
  if (event === 'provider-busy') return state.health === 'untested' ? { ...state, health: 'working' } : state
  const failures = state.failures + 1
  if (failures < FAILURES_BEFORE_PAUSE) return { health: 'failing', failures, pausedUntil: null }
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - FAILURES_BEFORE_PAUSE))
  return { health: 'down', failures, pausedUntil: new Date(now.getTime() + pause) }
}

/**
 * True if a request may be sent now. After a pause, one request tries whether the service is back: `trial` is the state that makes the
 * others wait meanwhile.
 */
export function checkCircuitBreaker({ health, failures, pausedUntil }: HealthState, now: Date): { ok: boolean; trial?: HealthState } {
  if (health !== 'down' || !pausedUntil) return { ok: true }
  if (pausedUntil > now) return { ok: false }
  return { ok: true, trial: { health, failures, pausedUntil: new Date(now.getTime() + TRIAL_TIMEOUT_MS) } }
}
