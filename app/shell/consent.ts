import { CONSENT_ITEM, buildCookieHeader, buildCookieName } from '#app/lib/device-storage.ts'

/** A person's choice about third parties: analytics, chat and error reports. */
export const CONSENT_CHOICES = ['granted', 'denied'] as const
export type Consent = (typeof CONSENT_CHOICES)[number]

export const CONSENT_COOKIE = CONSENT_ITEM.name

export const parseConsent = (value: unknown): Consent | null => CONSENT_CHOICES.find((choice) => choice === value) ?? null

/** The choice stored in `document.cookie`. */
export function readConsent(cookies: string, https: boolean): Consent | null {
  for (const part of cookies.split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === buildCookieName(CONSENT_ITEM, https)) return parseConsent(value)
  }
  return null
}

export const createConsentCookie = (choice: Consent, https: boolean): string =>
  buildCookieHeader(CONSENT_ITEM, choice, { https, secure: true })

/** True if third parties may load: if the site requires consent, only after the person agreed. */
export const canLoadThirdParties = (consentRequired: boolean, choice: Consent | null): boolean => !consentRequired || choice === 'granted'
