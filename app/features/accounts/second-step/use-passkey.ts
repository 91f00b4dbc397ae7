import { startPasskeySetup, startPasskeyUse } from './second-step.functions.ts'

/** What a browser's library reports: shown in words of ours. */
export type PasskeyFault = 'unsupported' | 'known' | 'refused'

/** Asks the person for one of their passkeys. @returns its answer as JSON. @param pending of a sign-in whose second step is due */
export async function askForPasskey(pending?: string): Promise<string> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON'] = JSON.parse(await startPasskeyUse({ data: { pending } }))
  return JSON.stringify(await startAuthentication({ optionsJSON }))
}

/** Asks the person to make a passkey. @returns its answer as JSON */
export async function makePasskey(): Promise<string> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON'] = JSON.parse(await startPasskeySetup())
  return JSON.stringify(await startRegistration({ optionsJSON }))
}

export function describePasskeyFault(error: unknown): PasskeyFault {
  if (typeof PublicKeyCredential === 'undefined') return 'unsupported'
  return error instanceof Error && error.name === 'InvalidStateError' ? 'known' : 'refused'
}
