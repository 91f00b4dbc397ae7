import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

const COUNTRIES: Record<string, CountryCode> = {
  Canada: 'CA',
  'United Kingdom': 'GB',
  'United States': 'US',
  'New Zealand': 'NZ',
  Australia: 'AU',
  Sydney: 'AU',
}

/** A number as people write it where the site is, in E.164; undefined where it can be nobody's. */
export function parsePhone(text: string, region: string): string | undefined {
  const country = COUNTRIES[region]
  const parsed = parsePhoneNumberFromString(text, country ? { defaultCountry: country, extract: false } : { extract: false })
  return parsed?.isValid() ? parsed.number : undefined
}

/** The number as it is shown, by its country's habit. */
export const formatPhone = (phone: string): string => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
