/** Health of an installation; `down` means paused after repeated failures. */
export const HEALTH_STATES = ['untested', 'working', 'failing', 'down'] as const
export type Health = (typeof HEALTH_STATES)[number]

/** Failures of a service, each with a message in `errors.json`. */
export const PROVIDER_FAULTS = [
  'provider-refused',
  'provider-busy',
  'provider-down',
  'provider-not-understood',
  'provider-paused',
  'message-refused',
  'endpoint-refused',
] as const
export type ProviderFaultCode = (typeof PROVIDER_FAULTS)[number]
