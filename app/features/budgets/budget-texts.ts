import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { OptionState } from '#app/lib/vocabulary/budgets.ts'

export const listRoundTexts = ({ title, intro }: Record<'title' | 'intro', Translated>): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: 140 },
  { pointer: '/introTranslations', text: intro, format: 'text', max: 2000 },
]

export const listPotTexts = ({ title }: { title: Translated }): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: 140 },
]

interface OptionTexts extends Record<'title' | 'text' | 'costNote' | 'reason' | 'withdrawnReason' | 'deliveryNote', Translated> {
  state: OptionState
  withdrawnAt: Date | null
}

/** What voters read of an option before they choose. It stays as it is from the first ballot on. */
const listBallotTexts = ({ title, text, costNote }: OptionTexts): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: 140 },
  { pointer: '/textTranslations', text, format: 'text', max: 2000 },
  { pointer: '/costNoteTranslations', text: costNote, max: 500 },
]

/** The texts of an option; those that can still change, if its round has ballots. */
export const listOptionTexts = (option: OptionTexts, { hasBallots }: { hasBallots: boolean }): TranslatedText[] => [
  ...(hasBallots ? [] : listBallotTexts(option)),
  ...(option.state === 'not_feasible' ? [{ pointer: '/reasonTranslations', text: option.reason, format: 'text', max: 1000 } as const] : []),
  ...(option.withdrawnAt
    ? [{ pointer: '/withdrawnReasonTranslations', text: option.withdrawnReason, format: 'text', max: 1000 } as const]
    : []),
  { pointer: '/deliveryNoteTranslations', text: option.deliveryNote, format: 'text', max: 1000 },
]
