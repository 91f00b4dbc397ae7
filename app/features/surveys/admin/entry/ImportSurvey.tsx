import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { FileField } from '#app/ui/admin/file-field.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { type ImportResult, type LanguagesToChoose, LARGEST_IMPORT } from '../../import/import.schema.ts'
import { invalidateSurvey } from '../../surveys.queries.ts'
import { OWN_PROJECTS, useProjectChoice } from '../list/use-project-choice.ts'

type Choices = Record<string, ContentLanguage | ''>

/** Turns a survey from another tool into a draft, and shows the report of what became of it. */
export function ImportSurvey({ project: asked }: { project: { id: string; title: string } | undefined }) {
  const { t } = useTranslation('survey-data')
  const site = useSite()
  const { t: admin } = useTranslation('survey-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { project, setProject, hasNone } = useProjectChoice(asked)
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [choices, setChoices] = useState<Choices>({})
  const make = useMutation({
    mutationFn: async () => {
      if (!file) throw new UploadRefusedError(t('import.choose'))
      const body = new FormData()
      body.set('languages', JSON.stringify(choices))
      body.set('file', file)
      const answer = await fetch(`/admin/surveys/import.json?${new URLSearchParams({ project: project ?? '' })}`, { method: 'POST', body })
      const result = (await answer.json()) as ImportResult | LanguagesToChoose | { error: { title: string } }
      if ('error' in result) throw new UploadRefusedError(result.error.title)
      return result
    },
    onMutate: () => setProblem(undefined),
    onError: (error) => setProblem(error instanceof UploadRefusedError ? error.message : t('import.unreachable')),
    onSuccess: async (result) => {
      if ('languages' in result) return setChoices(suggestChoices(result, site.locale))
      await invalidateSurvey(queryClient)
      await navigate({ to: '/admin/surveys/$survey/import-report', params: { survey: result.surveyId } })
    },
  })
  if (hasNone) return <EmptyState title={admin('new.no-project')}>{admin('new.no-project-text')}</EmptyState>
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <PageHeader title={t('import.title')} meta={t('import.text', { size: format.bytes(LARGEST_IMPORT) })} />
      <ErrorSummary title={admin('problem')} errors={problem ? [{ id: 'file', message: problem }] : []} />
      <RecordChoice name="project" label={admin('list.project')} source={OWN_PROJECTS} value={project} onChange={setProject} />
      <FileField
        name="file"
        label={t('import.file')}
        button={t('import.choose-file')}
        accept=".json,.xlsx,.lss,.lsg,.lsq,.xml,.txt,.tsv"
        error={problem}
        onChoose={(chosen) => {
          setFile(chosen)
          setChoices({})
        }}
      />
      <LanguageFields choices={choices} onChange={setChoices} />
      <div>
        <Button type="submit" pending={make.isPending}>
          {t('import.make')}
        </Button>
      </div>
    </form>
  )
}

/** A file without any language of the site is rarely meant to lose all of its texts. */
const suggestChoices = ({ languages, hasSiteLanguage }: LanguagesToChoose, locale: ContentLanguage): Choices =>
  Object.fromEntries(languages.map((language, index) => [language, index === 0 && !hasSiteLanguage ? locale : '']))

function LanguageFields({ choices, onChange }: { choices: Choices; onChange: (choices: Choices) => void }) {
  const { t } = useTranslation('survey-data')
  const { contentLanguages: languages } = useSite()
  const names = Object.keys(choices)
  if (names.length === 0) return null
  const options = [
    ...languages.map((language) => ({ value: language, label: getLanguageName(language) })),
    { value: '' as const, label: t('import.language-none') },
  ]
  return (
    <fieldset className="import-languages">
      <legend>{t('import.languages')}</legend>
      <output>{t('import.languages-text')}</output>
      {names.map((language) => (
        <SelectInput
          key={language}
          name={`language-${language}`}
          label={t('import.language-as', { language })}
          value={choices[language] ?? ''}
          onChange={(value) => onChange({ ...choices, [language]: value })}
          options={options}
        />
      ))}
    </fieldset>
  )
}

/** Its message is localised for the reader. */
class UploadRefusedError extends Error {}
