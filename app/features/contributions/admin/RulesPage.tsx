import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { ModerationLinks } from './ModerationLinks.tsx'
import { ModerationRules } from './ModerationRules.tsx'
import { WordLists } from './WordLists.tsx'

/** What moderators decide by: the site's rules, with how many reports take a text off the site, and its word lists. */
export function RulesPage() {
  const { t } = useTranslation('contributions-admin')
  return (
    <>
      <PageHeader title={t('waiting.rules')} meta={t('waiting.rules-about')} actions={<ModerationLinks />} />
      <ModerationRules />
      <WordLists />
    </>
  )
}
