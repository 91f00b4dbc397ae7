import { buildSearchFields } from '#app/lib/search-fields.ts'

/** The search columns of a contribution, which has one language. */
export const buildContributionSearch = ({ title, body, placeText }: { title: string; body: string; placeText: string }) =>
  buildSearchFields({ en: title }, { en: body }, { en: placeText })
