import type { Translated } from '#app/lib/translated.ts'

/** English and Canadian French. */
export const enFr = (en: string, fr: string): Translated => ({ en, 'fr-CA': fr })

/** Welsh and English. */
export const cyEn = (cy: string, en: string): Translated => ({ cy, en })

/** English only. */
export const onlyEn = (text: string): Translated => ({ en: text })
