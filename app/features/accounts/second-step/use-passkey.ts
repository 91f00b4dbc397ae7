import { startPasskeySetup, startPasskeyUse } from './second-step.functions.ts'

/** What a browser's library reports: shown in words of ours. */
export type PasskeyFault = 'unsupported' | 'known' | 'refused'

interface PasskeyRequest {
  /** Of a sign-in whose second step is due. */
  pending?: string
  /** To sign in with nothing but the passkey. */
  alone?: boolean
}

/** Asks the person for one of their passkeys. @returns its answer as JSON */
export const askForPasskey = (request: PasskeyRequest = {}): Promise<string> => startUse(request, false)

/**
 * Lets the browser offer the person's passkeys where it offers their address.
 * @returns the answer as JSON once they have chosen one; undefined if the browser cannot
 */
export const offerPasskeys = async (): Promise<string | undefined> =>
  (await PublicKeyCredential.isConditionalMediationAvailable?.()) ? startUse({ alone: true }, true) : undefined

async function startUse(data: PasskeyRequest, useBrowserAutofill: boolean): Promise<string> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON'] = JSON.parse(await startPasskeyUse({ data }))
  return JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill }))
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
