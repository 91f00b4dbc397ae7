import { useTranslation } from 'react-i18next'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { RichTextInput } from '#app/ui/admin/rich-text-input.tsx'
import type { ProjectContent } from '../project-content.schema.ts'
import { RepeatedItems } from './RepeatedItems.tsx'

type Faqs = ProjectContent['faqs']

export function ProjectFaqs({ faqs, onChange }: { faqs: Faqs; onChange: (faqs: Faqs) => void }) {
  const { t } = useTranslation('admin')
  const { locale } = useSite()
  const reading = useLanguage()
  return (
    <div className="admin-form">
      <RepeatedItems
        items={faqs}
        onChange={onChange}
        nameOf={({ question }, at) => getTranslation(question, reading, locale) || t('faqs.one', { number: at + 1 })}
        blank={(): Faqs[number] => ({ question: {}, answer: {} })}
        words={{ none: t('faqs.none'), noneText: t('faqs.none-text'), add: t('faqs.add'), remove: t('faqs.remove') }}
      >
        {({ question, answer }, set, at, language) => (
          <>
            <TextInput
              name={`faqs.${at}.question`}
              label={t('faqs.question')}
              language={language}
              value={question[language] ?? ''}
              onChange={(text) => set({ question: { ...question, [language]: text } })}
            />
            <RichTextInput
              name={`faqs.${at}.answer`}
              label={t('faqs.answer')}
              hint={t('editor.markup')}
              language={language}
              value={answer[language] ?? ''}
              rows={4}
              onChange={(text) => set({ answer: { ...answer, [language]: text } })}
            />
          </>
        )}
      </RepeatedItems>
    </div>
  )
}
