import type { Language } from './languages.ts'

const ENGLISH: Record<string, string> = {
  Canada: 'en-CA',
  'United States': 'en-US',
  Australia: 'en-AU',
  Sydney: 'en-AU',
  'New Zealand': 'en-NZ',
  'United Kingdom': 'en-GB',
}

/** The locale of the site's region: English differs from one country to the other. @param region the site's, e.g. `Canada` */
export function toLocaleTag(language: Language, region: string): string {
  if (language === 'en') return ENGLISH[region] ?? 'en-GB'
  return language === 'cy' ? 'cy-GB' : language
}
