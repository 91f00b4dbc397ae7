import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { SelectInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Embeddable } from '../embeds.schema.ts'
import { buildSnippet } from './snippet-code.ts'

const ANY_LANGUAGE = 'own'
const LABELS = { survey: 'surveys', activity: 'activities', project: 'projects' } as const

/** Embed code of a survey, an activity or a project, with a preview. */
export function Snippet({ embeddables, origin }: { embeddables: readonly Embeddable[]; origin: string }) {
  const { t } = useTranslation('embeds')
  const site = useSite()
  const [path, setPath] = useState(embeddables[0]?.path)
  const [language, setLanguage] = useState<string>(ANY_LANGUAGE)
  const [copied, setCopied] = useState('')
  const chosen = embeddables.find((each) => each.path === path)
  if (!chosen) return <p>{t('nothing')}</p>
  const address = `${chosen.path}?lng=${language === ANY_LANGUAGE ? site.locale : language}`
  const code = buildSnippet({ origin, address, title: chosen.title, height: chosen.kind === 'project' ? 420 : 700 })
  return (
    <section className="admin-panel" aria-labelledby="snippet">
      <h2 id="snippet">{t('snippet')}</h2>
      <div className="admin-form">
        <SelectInput
          name="what"
          label={t('what')}
          value={chosen.path}
          onChange={setPath}
          options={embeddables.map((each) => ({
            value: each.path,
            label: t(LABELS[each.kind], { title: each.title }),
          }))}
        />
        <SelectInput
          name="language"
          label={t('language')}
          value={language}
          onChange={setLanguage}
          options={[
            { value: ANY_LANGUAGE, label: t('any-language') },
            ...site.contentLanguages.map((each) => ({ value: each as string, label: getLanguageName(each) })),
          ]}
        />
        <TextAreaInput name="code" label={t('code')} hint={t('code-hint')} value={code} rows={5} onChange={() => undefined} />
        <div className="row">
          <Button kind="secondary" onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(code))}>
            {t('copy')}
          </Button>
          <output>{copied === code && t('copied')}</output>
        </div>
      </div>
      <h3>{t('preview')}</h3>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of this very site, shown as other pages will show it */}
      <iframe className="embed-preview" key={address} src={address} title={chosen.title} />
    </section>
  )
}
