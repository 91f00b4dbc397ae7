import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import type { Duty } from '#app/lib/vocabulary/duties.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { SelectInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { forgetDuties } from '../duties.queries.ts'

type Duties = Resource<'consultation-duties'>
type Question = Duties['effectsQuestion']

const FORMATS = ['html', 'pdf', 'docx'] as const
const NO_QUESTION = ''
const toValue = (question: Question): string => (question ? `${question.survey} ${question.question}` : NO_QUESTION)

/** What the law asks of a consultation: whether it is met, what is written about it, and the file of it. */
export function ProjectDuties({ duties }: { duties: Duties }) {
  const { t } = useTranslation('duties')
  return (
    <div className="admin-stack">
      <section className="admin-panel admin-stack" aria-labelledby="duties-heading">
        <h2 id="duties-heading">{t('title')}</h2>
        <p>{t('about')}</p>
        <ul className="duty-list">
          {duties.checks.map(({ duty, isMet }) => (
            <li key={duty}>
              <Badge tone={isMet ? 'ok' : 'warn'} hollow={!isMet}>
                {t(isMet ? 'met' : 'missing')}
              </Badge>
              <div>
                <strong>{t(`names.${duty}`)}</strong>
                <DutyFact duty={duty} duties={duties} />
              </div>
            </li>
          ))}
        </ul>
        <div className="row">
          {FORMATS.map((format) => (
            <a
              key={format}
              href={`/admin/projects/${duties.id}/duties/${format}`}
              className={getButtonClass({ kind: 'secondary', size: 'small' })}
              download
            >
              {t(`file.${format}`)}
            </a>
          ))}
        </div>
      </section>
      {duties.meta.can.update && <DutyForm duties={duties} />}
      <Waivers duties={duties} />
    </div>
  )
}

/** The figures by which a duty is judged. */
function DutyFact({ duty, duties }: { duty: Duty; duties: Duties }) {
  const { t } = useTranslation('duties')
  const format = useFormat()
  const nameHoliday = ({ day, name }: Duties['holidays'][number]) => {
    const date = format.date(`${day}T12:00:00Z`)
    return name ? t('facts.holiday', { name: t(`holidays.${name}`), date }) : date
  }
  switch (duty) {
    case 'time':
      return (
        <p className="meta">
          {duties.daysOpen === null
            ? t('facts.no-end', { minimum: format.number(duties.minimumDays) })
            : t('facts.days', { days: format.number(duties.daysOpen), minimum: format.number(duties.minimumDays) })}
          {duties.holidays.length > 0 && ` ${t('facts.holidays', { days: format.list(duties.holidays.map(nameHoliday)) })}`}
        </p>
      )
    case 'reasons':
      return <p className="meta">{t('facts.documents', { number: format.number(duties.documents) })}</p>
    case 'decisions':
      return (
        <p className="meta">
          {t('facts.decisions', {
            decisions: format.number(duties.decisions),
            read: format.number(duties.textsRead),
            texts: format.number(duties.texts),
          })}{' '}
          <Link to="/admin/projects/$id/heard" params={{ id: duties.id }}>
            {t('facts.heard')}
          </Link>
        </p>
      )
    default:
      return null
  }
}

function DutyForm({ duties }: { duties: Duties }) {
  const { t } = useTranslation('duties')
  const queryClient = useQueryClient()
  const { openToChange, notOpen, reasons, equality, welshEffects, effectsQuestion, improvementsQuestion } = duties
  const { fields, changed, values, change, reset } = useEditedFields({
    openToChange,
    notOpen,
    reasons,
    equality,
    welshEffects,
    effectsQuestion,
    improvementsQuestion,
  })
  const save = useMutation({
    mutationFn: (sent: typeof values) =>
      api.update('consultation-duties', duties.id, { attributes: sent }, { lockVersion: duties.meta.lockVersion }),
    onSuccess: async (_, sent) => {
      await forgetDuties(queryClient)
      reset(sent)
    },
    // Loads the other person’s version; what was typed here stays.
    onError: (error) => (isAppError(error) && error.code === 'stale' ? forgetDuties(queryClient) : undefined),
  })
  const words = useEditorTexts(save.error)
  const isWelsh = duties.checks.some(({ duty }) => duty === 'welsh-effects')
  const renderText = (name: 'openToChange' | 'notOpen' | 'reasons' | 'equality' | 'welshEffects') => (
    <TextAreaInput
      name={name}
      label={t(`fields.${name}.label`)}
      hint={t(`fields.${name}.hint`)}
      rows={4}
      value={fields[name]}
      onChange={(text) => change({ [name]: text })}
      error={words.messageOf(name)}
    />
  )
  const renderQuestion = (name: 'effectsQuestion' | 'improvementsQuestion') => (
    <SelectInput
      name={name}
      label={t(`fields.${name}.label`)}
      hint={t(`fields.${name}.hint`)}
      value={toValue(fields[name])}
      onChange={(value) => change({ [name]: duties.questions.find((each) => toValue(each) === value) ?? null })}
      options={[
        { value: NO_QUESTION, label: t('no-question') },
        ...duties.questions.map((each) => ({ value: toValue(each), label: each.title })),
      ]}
      error={words.messageOf(name)}
    />
  )
  return (
    <ContentForm
      unsaved={changed.length}
      saving={save.isPending}
      faults={words.faults}
      stale={words.stale}
      onSave={() => save.mutate(toSent(values))}
      words={words.form}
    >
      <div className="admin-form">
        {renderText('openToChange')}
        {renderText('notOpen')}
        {renderText('reasons')}
        {renderText('equality')}
        {isWelsh && (
          <>
            {renderText('welshEffects')}
            {renderQuestion('effectsQuestion')}
            {renderQuestion('improvementsQuestion')}
          </>
        )}
      </div>
    </ContentForm>
  )
}

/** A chosen question is sent without its title. */
const toSent = <Values extends { effectsQuestion?: Question; improvementsQuestion?: Question }>(values: Values): Values => ({
  ...values,
  ...(values.effectsQuestion && { effectsQuestion: pickQuestion(values.effectsQuestion) }),
  ...(values.improvementsQuestion && { improvementsQuestion: pickQuestion(values.improvementsQuestion) }),
})
const pickQuestion = ({ survey, question }: NonNullable<Question>): NonNullable<Question> => ({ survey, question })

function Waivers({ duties }: { duties: Duties }) {
  const { t } = useTranslation('duties')
  const format = useFormat()
  if (duties.waivers.length === 0) return null
  return (
    <section className="admin-panel admin-stack" aria-labelledby="waivers-heading">
      <h2 id="waivers-heading">{t('waivers.title')}</h2>
      <ul className="admin-stack">
        {duties.waivers.map(({ act, missing, reason, at }) => (
          <li key={at}>
            <strong>{t(`waivers.${act}`, { date: format.date(at) })}</strong>
            <p>{reason}</p>
            <p className="meta">{t('waivers.missing', { duties: format.list(missing.map((duty) => t(`names.${duty}`))) })}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
