import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { PlainPanel } from '#app/shell/admin/plain-words/PlainPanel.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { listPagePassages } from '../../questionnaire/plain-passages.ts'
import type { Definition, Page } from '../../surveys.schema.ts'
import { WordsField } from '../question-types/WordsField.tsx'
import type { PlacedFault } from './draft-faults.ts'
import { JumpRules } from './logic/JumpRules.tsx'
import { useLogicSources } from './logic/logic-sources.ts'
import { RepeatAnswer } from './logic/RepeatAnswer.tsx'
import { ShowWhen } from './logic/ShowWhen.tsx'

interface PageFormProps {
  page: Page
  definition: Definition
  change: (edit: (page: Page) => Page, key?: string) => void
  faults: readonly PlacedFault[]
  messageOf: (field: string) => string | undefined
  language: ContentLanguage
  onLanguage: (language: ContentLanguage) => void
  onNewEnding: () => string
}

/** A page's texts, when it is shown, and where people go after it. */
export function PageForm({ page, definition, change, faults, messageOf, language, onLanguage, onNewEnding }: PageFormProps) {
  const { t } = useTranslation('survey-admin')
  const { contentLanguages: languages } = useSite()
  const sources = useLogicSources()
  const set = (next: Partial<Page>, key?: string) => change((now) => ({ ...now, ...next }), key && `${page.id}.${key}`)
  const unreached = messageOf('')
  return (
    <>
      {unreached && <Notice kind="warning" title={unreached} />}
      <LanguageTabs
        label={t('languages')}
        languages={languages}
        missing={(code) => faults.filter((each) => each.language === code).length}
        missingLabel={(count) => t('missing', { count })}
        selected={language}
        onSelect={onLanguage}
      >
        <div className="admin-form">
          <WordsField
            name="title"
            label={t('page.title')}
            hint={t('page.title-hint')}
            values={page.title ?? {}}
            language={language}
            onChange={(title, key) => set({ title }, key)}
            messageOf={messageOf}
          />
          <RepeatAnswer name="title" values={page.title ?? {}} language={language} onChange={(title) => set({ title })} />
          <WordsField
            name="intro"
            label={t('page.intro')}
            values={page.intro ?? {}}
            language={language}
            onChange={(intro, key) => set({ intro }, key)}
            messageOf={messageOf}
            rows={4}
          />
        </div>
        <PlainPanel passages={listPagePassages(page, language)} language={language} />
      </LanguageTabs>
      <CheckInput
        name="shuffle"
        label={t('page.shuffle')}
        value={page.shuffle === true}
        onChange={(shuffle) => set({ shuffle: shuffle || undefined })}
      />
      <section className="logic-part" aria-labelledby="show-page">
        <h2 id="show-page">{t('logic.when-shown')}</h2>
        <ShowWhen
          of="page"
          at="showIf"
          condition={page.showIf}
          sources={sources}
          onChange={(showIf, key) => set({ showIf }, key)}
          messageOf={messageOf}
        />
      </section>
      <JumpRules
        page={page}
        definition={definition}
        onChange={(next, key) => set({ next }, key)}
        messageOf={messageOf}
        onNewEnding={onNewEnding}
      />
    </>
  )
}
