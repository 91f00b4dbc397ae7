/** What a person has said to third parties: analytics, chat and error reports. */
export const CONSENT_CHOICES = ['granted', 'denied'] as const
export type Consent = (typeof CONSENT_CHOICES)[number]

export const CONSENT_COOKIE = 'consent'
/** Six months. */
export const CONSENT_SECONDS = 183 * 24 * 60 * 60

export const asConsent = (value: unknown): Consent | null => CONSENT_CHOICES.find((choice) => choice === value) ?? null

/** The choice kept in a Cookie header or in `document.cookie`. */
export function readConsent(cookies: string): Consent | null {
  for (const part of cookies.split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === CONSENT_COOKIE) return asConsent(value)
  }
  return null
}

/** A Set-Cookie header. Without `Secure`, so that the choice is kept wherever the site is reached. */
export const consentCookie = (choice: Consent): string => `${CONSENT_COOKIE}=${choice}; Max-Age=${CONSENT_SECONDS}; Path=/; SameSite=Lax`

/** May anything of third parties load? Where the site asks, only once the person has agreed. */
export const mayLoadThirdParties = (consentRequired: boolean, choice: Consent | null): boolean => !consentRequired || choice === 'granted'
