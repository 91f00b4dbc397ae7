import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import type { RecordSource } from '#app/shell/admin/record-sources.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { SelectInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { getEmbeddable, searchEmbeddables } from '../embeds.functions.ts'
import { embeddableQuery } from '../embeds.queries.ts'
import type { Embeddable } from '../embeds.schema.ts'
import { buildSnippet } from './snippet-code.ts'

const ANY_LANGUAGE = 'own'

/** Embed code of a survey, an activity or a project, with a preview. */
export function Snippet({ embeddables: [first], origin }: { embeddables: readonly Embeddable[]; origin: string }) {
  const { t } = useTranslation('embeds')
  return first ? <ChosenSnippet first={first} origin={origin} /> : <p>{t('nothing')}</p>
}

function ChosenSnippet({ first, origin }: { first: Embeddable; origin: string }) {
  const { t } = useTranslation('embeds')
  const site = useSite()
  const [path, setPath] = useState(first.path)
  const [language, setLanguage] = useState<string>(ANY_LANGUAGE)
  const [copied, setCopied] = useState('')
  const chosen = useQuery({ ...embeddableQuery(path), placeholderData: keepPreviousData }).data ?? first
  const source = useMemo((): RecordSource => {
    const toChoice = ({ path: id, kind, title }: Embeddable) => ({ id, name: title, note: t(`kinds.${kind}`) })
    return {
      key: ['embeddables'],
      find: async (words, signal) => {
        const { embeddables, total } = await searchEmbeddables({ data: { words }, signal })
        return { choices: embeddables.map(toChoice), total }
      },
      load: async (id, signal) => {
        const found = await getEmbeddable({ data: { path: id }, signal })
        return found && toChoice(found)
      },
    }
  }, [t])
  const address = `${chosen.path}?lng=${language === ANY_LANGUAGE ? site.locale : language}`
  const code = buildSnippet({ origin, address, title: chosen.title, height: chosen.kind === 'project' ? 420 : 700 })
  return (
    <section className="admin-panel" aria-labelledby="snippet">
      <h2 id="snippet">{t('snippet')}</h2>
      <div className="admin-form">
        <RecordChoice name="what" label={t('what')} source={source} value={path} onChange={(id) => setPath(id ?? first.path)} />
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
