import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

const COUNTRIES: Record<string, CountryCode> = {
  Canada: 'CA',
  'United Kingdom': 'GB',
  'United States': 'US',
  'New Zealand': 'NZ',
  Australia: 'AU',
  Sydney: 'AU',
}

/** The country of a site's region, if it has one. */
export const findCountry = (region: string): CountryCode | undefined => COUNTRIES[region]

/** A number in the notation of the site's region, as E.164; undefined if it is not valid. */
export function parsePhone(text: string, region: string): string | undefined {
  const country = findCountry(region)
  const parsed = parsePhoneNumberFromString(text, country ? { defaultCountry: country, extract: false } : { extract: false })
  return parsed?.isValid() ? parsed.number : undefined
}

/** Whether a number belongs to the site's country; true if the region has none. */
export function isLocalPhone(phone: string, region: string): boolean {
  const country = findCountry(region)
  return country === undefined || parsePhoneNumberFromString(phone)?.country === country
}
