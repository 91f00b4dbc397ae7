/** Languages that a site may add for its content, besides those of the interface, as BCP 47 tags. */
export const ADDED_LANGUAGES = [
  ...(['am', 'ar', 'az', 'be', 'bg', 'bn', 'bs', 'ca', 'ckb', 'cr', 'cs', 'da', 'de', 'el', 'es', 'et', 'eu', 'fa', 'fi'] as const),
  ...(['fil', 'ga', 'gd', 'gu', 'ha', 'he', 'hi', 'hr', 'ht', 'hu', 'hy', 'ig', 'it', 'iu', 'ja', 'ka', 'kk'] as const),
  ...(['km', 'kn', 'ko', 'ku', 'ky', 'lo', 'lt', 'lv', 'mic', 'mk', 'ml', 'mn', 'mr', 'ms', 'mt', 'my', 'ne', 'nb', 'nl'] as const),
  ...(['oj', 'om', 'pa', 'pl', 'ps', 'pt', 'ro', 'ru', 'rw', 'si', 'sk', 'sl', 'sn', 'so', 'sq', 'sr', 'st', 'sv', 'sw'] as const),
  ...(['ta', 'te', 'th', 'ti', 'tr', 'tw', 'uk', 'ur', 'uz', 'vi', 'yi', 'yo', 'yue', 'zh-Hans', 'zh-Hant', 'zu'] as const),
] as const
export type AddedLanguage = (typeof ADDED_LANGUAGES)[number]

export const MAX_ADDED_LANGUAGES = 20

const WRITTEN_FROM_THE_RIGHT = /^(ar|ckb|fa|he|ps|ur|yi)$/

/** For a `dir` attribute beside `lang`: `rtl`, or nothing for what is written from left to right, as the page is. */
export const getDirection = (language: string | null | undefined): 'rtl' | undefined =>
  language && WRITTEN_FROM_THE_RIGHT.test(language) ? 'rtl' : undefined
