import { useTranslation } from 'react-i18next'
import type { DraftKind, MissingText } from '#app/features/revisions/draft.schema.ts'
import { findContrastFaults } from '#app/lib/contrast.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { findMissingLookTexts } from '../appearance-checks.ts'
import { type Appearance, readAppearance } from '../appearance.schema.ts'
import { mergeLooks } from '../merge-look.ts'

export const APPEARANCE_DRAFT: DraftKind<Appearance> = {
  read: readAppearance,
  write: (tokens) => ({ ...tokens }),
  both: mergeLooks,
}

/** Lists the texts missing from a look before publishing, and the reason it cannot be published at all. */
export function useLookChecks(): {
  missingOf: (tokens: Appearance) => MissingText[]
  blockedBy: (tokens: Appearance) => string | undefined
} {
  const { t } = useTranslation('editor')
  const { languages } = useSite()
  return {
    missingOf: (tokens) =>
      findMissingLookTexts(tokens, languages).map(({ name, link, language }) => ({
        name,
        label: t('publish.waive', {
          block: link ? t('look.navigation') : t('look.footer'),
          field: link ? t('item', { number: link }) : t('fields.text'),
          language: getLanguageName(language),
        }),
      })),
    blockedBy: ({ primary, accent, paper, ink }) =>
      findContrastFaults({ primary, accent, paper, ink }).length ? t('look.not-readable') : undefined,
  }
}
