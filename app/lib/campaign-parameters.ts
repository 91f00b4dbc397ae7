import { toSlug } from './slug.ts'

const MAX_CODE_LENGTH = 40

/** Adds the UTM parameters that attribute a visit to a mail. @param name words or a code */
export function addCampaignParameters(address: string, name: string): string {
  const url = new URL(address)
  url.searchParams.set('utm_source', 'parley')
  url.searchParams.set('utm_medium', 'email')
  const code = toSlug(name).slice(0, MAX_CODE_LENGTH).replace(/-+$/, '')
  if (code) url.searchParams.set('utm_campaign', code)
  return url.href
}
