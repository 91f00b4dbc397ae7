import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { groupBlockFaults } from '#app/features/homepage/block-faults.schema.ts'
import type { HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { TranslatedField } from '#app/ui/admin/translated-field.tsx'
import { useKeptLanguage } from '#app/ui/admin/use-kept-tab.ts'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { CampaignDraftForm, MERGE_FIELDS, useCampaignDraft } from '../../admin/CampaignDraftForm.tsx'
import { NEWSLETTER_BLOCKS, findNewsletterGaps, readNewsletterBlocks, toNewsletterContent } from '../newsletters.schema.ts'
import type { BlockEditing, Newsletter } from './newsletter-type.ts'
import { NewsletterPreview } from './NewsletterPreview.tsx'

/** Edits a newsletter's blocks, languages and audience beside a preview of the email. */
export function NewsletterDraft({ letter, editing: { Outline, BlockForm } }: { letter: Newsletter; editing: BlockEditing }) {
  const { t } = useTranslation('letters')
  const { t: texts } = useTranslation('sms')
  const { t: editor } = useTranslation('editor')
  const { contentLanguages: languages, locale } = useSite()
  const saved: readonly HomeBlock[] = readNewsletterBlocks(letter.content)
  const draft = useCampaignDraft(
    { name: letter.name, subjectTranslations: letter.subjectTranslations ?? {}, blocks: saved, audience: letter.audience },
    ({ blocks: written, ...attributes }) =>
      api.update(
        'newsletters',
        letter.id,
        { attributes: { ...attributes, ...(written ? { content: { ...toNewsletterContent(written) } } : {}) } },
        { lockVersion: letter.meta.lockVersion },
      ),
  )
  const { fields, change, texts: words } = draft
  const { blocks, subjectTranslations: subject } = fields
  const [language, setLanguage] = useKeptLanguage(languages, locale)
  const [selected, setSelected] = useState<string | undefined>(blocks[0]?.id)
  const errorOf = useBlockErrors(draft.error, blocks)
  const gaps = findNewsletterGaps(subject, blocks, languages)
  const block = blocks.find(({ id }) => id === selected)
  const setBlocks = (next: (now: readonly HomeBlock[]) => readonly HomeBlock[]) => change({ blocks: next(blocks) })
  const shown = useDebouncedContent({ subject, blocks, language })
  return (
    <div className="letter-desk">
      <CampaignDraftForm draft={draft} nameHint={texts('campaigns.name-hint')} chosen={letter.chosen}>
        <LanguageTabs
          label={words.texts.languages}
          languages={languages}
          missing={(code) => {
            const gap = gaps.find((one) => one.language === code)
            return gap ? gap.texts.length + (gap.subject ? 1 : 0) : 0
          }}
          missingLabel={words.texts.missing}
          selected={language}
          onSelect={setLanguage}
        >
          <div className="admin-form">
            <TranslatedField
              name="subjectTranslations"
              label={t('subject')}
              hint={t('fields', MERGE_FIELDS)}
              values={subject}
              language={language}
              source={locale}
              onChange={(code, text) => change({ subjectTranslations: { ...subject, [code]: text } })}
              error={words.messageOf('subjectTranslations') ?? words.messageOf(`subjectTranslations.${language}`)}
              sourceLabel={words.texts.source}
              copyLabel={words.texts.copy}
            />
          </div>
          <section className="admin-panel letter-blocks" aria-label={editor('blocks-label')}>
            <Outline
              types={NEWSLETTER_BLOCKS}
              hubId={letter.relationships.hub?.id ?? null}
              blocks={blocks}
              selected={selected}
              language={language}
              onSelect={setSelected}
              onChange={setBlocks}
            />
            {block && (
              <section aria-label={editor(`blocks.${block.type}.name`)}>
                <h2>{editor(`blocks.${block.type}.name`)}</h2>
                <BlockForm
                  key={block.id}
                  block={block}
                  language={language}
                  errorOf={errorOf}
                  onChange={(next) => setBlocks((now) => now.map((one) => (one.id === next.id ? next : one)))}
                />
              </section>
            )}
          </section>
        </LanguageTabs>
      </CampaignDraftForm>
      <div>
        <NewsletterPreview
          unsaved={{
            campaign: letter.id,
            subject: shown.subject,
            content: { ...toNewsletterContent(shown.blocks) },
            language: shown.language,
          }}
        />
        {gaps.some((gap) => gap.language === shown.language) && shown.language !== locale && (
          <p className="meta">{t('preview.falls-back', { language: getLanguageName(shown.language), other: getLanguageName(locale) })}</p>
        )}
      </div>
    </div>
  )
}

const DEBOUNCE_MS = 250

/** Debounces the content, so that the preview is not requested on every keystroke. */
function useDebouncedContent<Written extends object>(written: Written): Written {
  return JSON.parse(useDebouncedValue(useDeferredValue(JSON.stringify(written)), DEBOUNCE_MS)) as Written
}

/** Error messages of the blocks' fields. */
function useBlockErrors(error: unknown, blocks: readonly HomeBlock[]): (name: string) => string | undefined {
  const { t: errors } = useTranslation('errors')
  const faults = groupBlockFaults(isAppError(error) ? error.faults : [], blocks)
  return (name) => {
    const fault = faults.get(name)
    return fault && errors(...toFaultTitle(fault))
  }
}
