import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { getTranslation, hasText, type Translated } from '#app/lib/translated.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { MissingTexts } from '#app/ui/admin/missing-texts.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { forgetContributions, linkableQuery, officialResponsesQuery, statusesQuery } from '../contributions.queries.ts'
import { type AnswerTexts as WrittenTexts, findMissingAnswerTexts } from '../responding/missing-answer-texts.schema.ts'

interface OfficialAnswersProps {
  contribution: string
  activity: string
  /** Its current one. */
  status: string | null
  /** Of a question: it has an answer already. */
  isAnswered: boolean
  /** It can get another answer; those it has can always be edited. */
  mayAdd: boolean
  /** For a question: who may be shown the answer. Empty for other kinds, whose answers are always public. */
  visibilities: readonly AnswerVisibility[]
}

type AnswerTexts = { textTranslations: Translated; teamTranslations: Translated }
type OfficialResponse = Resource<'official-responses'>

/** The team’s answers to a contribution: write another one, edit one, withdraw one. Needs `statusesQuery` and `officialResponsesQuery`. */
export function OfficialAnswers(props: OfficialAnswersProps) {
  const { t } = useTranslation('contributions-admin')
  const answers = useSuspenseQuery(officialResponsesQuery(props.contribution)).data
  const current = useSuspenseQuery(statusesQuery(props.activity)).data.data.find(({ id }) => id === props.status)?.title
  if (!props.mayAdd && answers.data.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="answer">
      <h2 id="answer">{t('answer.title')}</h2>
      {props.mayAdd && <NewAnswer {...props} />}
      {answers.data.length > 0 && (
        <>
          <h3>{t('answer.earlier')}</h3>
          <ul className="admin-list">
            {answers.data.map((answer) => (
              <li key={answer.id} className="admin-panel">
                <GivenAnswer answer={answer} status={findLinked(answers, answer.relationships.status)?.title} current={current} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Stands for the current status. */
const KEEP = ''

function NewAnswer({ contribution, activity, status: current, isAnswered, visibilities }: OfficialAnswersProps) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const statuses = useSuspenseQuery(statusesQuery(activity)).data.data
  const [first] = visibilities
  // A question is answered: that is what most people come to do.
  const usual = first && !isAnswered ? statuses.find(({ code, archived }) => code === 'answered' && !archived)?.id : undefined
  const [chosenStatus, setStatus] = useState<string>()
  const picked = chosenStatus ?? usual ?? KEEP
  const [chosen, setVisibility] = useState<AnswerVisibility>()
  const visibility = chosen && visibilities.includes(chosen) ? chosen : (first ?? 'public')
  const [fields, setFields] = useState<AnswerTexts>({ textTranslations: {}, teamTranslations: {} })
  const [alsoTo, setAlsoTo] = useState<readonly AlsoAnswered[]>([])
  const missing = useMissingTexts(visibility === 'public' ? { text: fields.textTranslations, team: fields.teamTranslations } : {})
  const nameStatus = (id: string | null) => statuses.find((status) => status.id === id)?.title ?? ''
  const next = picked === KEEP || picked === current ? undefined : picked
  const send = useMutation({
    mutationFn: () =>
      api.create('official-responses', {
        attributes: {
          ...fields,
          waived: missing.waived,
          ...(first && { visibility }),
          ...(visibility === 'public' && { alsoTo: alsoTo.map(({ id }) => id) }),
        },
        relationships: {
          contribution: { type: 'contributions', id: contribution },
          ...(picked !== KEEP && { status: { type: 'contribution-statuses', id: picked } }),
        },
      }),
    onSuccess: async () => {
      setFields({ textTranslations: {}, teamTranslations: {} })
      setStatus(KEEP)
      missing.reset()
      setAlsoTo([])
      showToast({ text: t(visibility === 'private' ? 'question.sent-private' : 'answer.sent') })
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(send.error)
  return (
    <div className="admin-form">
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {first && (
        <SelectInput
          name="visibility"
          label={t('question.visibility')}
          hint={visibilities.includes('public') ? t(`question.visibility-hint-${visibility}`) : t('question.held-hint')}
          value={visibility}
          onChange={setVisibility}
          options={visibilities.map((value) => ({ value, label: t(`question.visibilities.${value}`) }))}
        />
      )}
      <SelectInput
        name="status"
        label={t('answer.status')}
        value={picked}
        onChange={setStatus}
        options={[
          { value: KEEP, label: t('answer.keep', { status: nameStatus(current) }) },
          ...statuses.filter(({ id, archived }) => !archived && id !== current).map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
      <AnswerFields fields={fields} onChange={setFields} isPublic={visibility === 'public'} words={words} />
      {missing.choice}
      {visibility === 'public' && <AnswerOthers contribution={contribution} activity={activity} chosen={alsoTo} onChange={setAlsoTo} />}
      <p aria-live="polite">
        {next
          ? t('answer.status-changes', { from: nameStatus(current), to: nameStatus(next) })
          : t('answer.status-stays', { status: nameStatus(current) })}
      </p>
      {alsoTo.length > 0 && visibility === 'public' && <p>{t('answer.others-count', { count: alsoTo.length })}</p>}
      <div className="row">
        <Button pending={send.isPending} disabled={missing.isOpen} onClick={() => send.mutate()}>
          {t(visibility === 'private' ? 'question.send-private' : 'answer.send')}
        </Button>
      </div>
    </div>
  )
}

/** Which texts lack a language, and the boxes that accept it. */
function useMissingTexts(texts: WrittenTexts) {
  const { t } = useTranslation('contributions-admin')
  const { languages } = useSite()
  const [accepted, setAccepted] = useState<readonly string[]>([])
  const labels = { text: t('answer.text'), team: t('answer.team'), withdrawalReason: t('queue.reason') }
  const missing = findMissingAnswerTexts(texts, languages).map(({ name, field, language }) => ({
    name,
    label: t('answer.missing-one', { text: labels[field], language: LANGUAGE_NAMES[language] }),
  }))
  const waived = missing.map(({ name }) => name).filter((name) => accepted.includes(name))
  return {
    waived,
    isOpen: waived.length < missing.length,
    reset: () => setAccepted([]),
    choice: missing.length > 0 && (
      <MissingTexts
        title={t('answer.missing')}
        hint={t('answer.missing-text')}
        waiveAllLabel={t('answer.waive')}
        missing={missing}
        waived={waived}
        onChange={setAccepted}
      />
    ),
  }
}

interface AlsoAnswered {
  id: string
  number: number
  title: string
  language: string
}

interface AnswerOthersProps {
  contribution: string
  activity: string
  chosen: readonly AlsoAnswered[]
  onChange: (chosen: readonly AlsoAnswered[]) => void
}

/** Finds other contributions of the activity that get the same answer. */
function AnswerOthers({ contribution, activity, chosen, onChange }: AnswerOthersProps) {
  const { t } = useTranslation('contributions-admin')
  const [words, setWords] = useState('')
  const found = useQuery(linkableQuery(activity, useDebouncedValue(words.trim(), 250))).data
  const isChosen = (id: string) => chosen.some((one) => one.id === id)
  const options = [...chosen, ...(found?.data ?? []).filter(({ id }) => id !== contribution && !isChosen(id))]
  return (
    <details open={chosen.length > 0 || undefined}>
      <summary>{t('answer.others')}</summary>
      <div className="admin-form">
        <p>{t('answer.others-about')}</p>
        <TextInput
          name="others-search"
          type="search"
          label={t('answer.others-search')}
          hint={t('merging.search-hint')}
          value={words}
          onChange={setWords}
          maxLength={200}
        />
        {found && options.length === 0 && <output>{t('merging.none')}</output>}
        {options.map(({ id, number, title, language }) => (
          <CheckInput
            key={id}
            name={`others.${id}`}
            label={<span lang={language}>{t('answer.others-one', { number, title })}</span>}
            value={isChosen(id)}
            onChange={(on) => onChange(on ? [...chosen, { id, number, title, language }] : chosen.filter((one) => one.id !== id))}
          />
        ))}
      </div>
    </details>
  )
}

interface AnswerFieldsProps {
  fields: AnswerTexts
  onChange: (change: (before: AnswerTexts) => AnswerTexts) => void
  isPublic: boolean
  words: ReturnType<typeof useEditorTexts>
  /** Begins the names of its fields, where the page has other ones beside them. */
  prefix?: string
}

function AnswerFields({ fields, onChange, isPublic, words, prefix = '' }: AnswerFieldsProps) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  return (
    <TranslatedTexts
      languages={site.languages}
      source={site.locale}
      fields={[
        { name: `${prefix}textTranslations`, label: t('answer.text'), ...(isPublic && { hint: t('answer.text-hint') }), rows: 5 },
        { name: `${prefix}teamTranslations`, label: t('answer.team') },
      ]}
      values={{ [`${prefix}textTranslations`]: fields.textTranslations, [`${prefix}teamTranslations`]: fields.teamTranslations }}
      onChange={(name, text) => onChange((before) => ({ ...before, [name.slice(prefix.length)]: text }))}
      messageOf={(name) => words.messageOf(name.slice(prefix.length))}
      words={words.texts}
    />
  )
}

function GivenAnswer({ answer, status, current }: { answer: OfficialResponse; status: string | undefined; current: string | undefined }) {
  const { t } = useTranslation('contributions-admin')
  const { locale, languages } = useSite()
  const format = useFormat()
  const [acting, setActing] = useState<'edit' | 'withdraw'>()
  const source = languages.find((language) => answer.textTranslations?.[language]) ?? locale
  const close = () => setActing(undefined)
  return (
    <div className="admin-stack">
      <div>
        <strong>{status}</strong> {format.dateTime(answer.createdAt)}{' '}
        {answer.visibility === 'private' && <Badge tone="info">{t('question.private')}</Badge>}{' '}
        {answer.withdrawnAt && <Badge tone="info">{t('answer.withdrawn')}</Badge>}
        <PlainText text={answer.text} />
        {answer.withdrawnAt && (
          <Notice title={t('answer.withdrawn-on', { date: format.dateTime(answer.withdrawnAt) })}>
            <PlainText text={answer.withdrawalReason} />
          </Notice>
        )}
        {answer.former.length > 0 && (
          <details>
            <summary>{t('answer.former', { count: answer.former.length })}</summary>
            {answer.former.map((wording) => (
              <div key={wording.at}>
                <p className="meta">{t('answer.former-until', { date: format.dateTime(wording.at) })}</p>
                <PlainText text={getTranslation(wording.text, source, locale)} />
              </div>
            ))}
          </details>
        )}
      </div>
      {acting === 'edit' && <EditAnswer answer={answer} onDone={close} />}
      {!acting && !answer.withdrawnAt && answer.meta.can.update && (
        <div className="row">
          <Button kind="secondary" size="small" onClick={() => setActing('edit')}>
            {t('answer.edit')}
            <span className="visually-hidden">: {format.dateTime(answer.createdAt)}</span>
          </Button>
          <Button kind="secondary" size="small" onClick={() => setActing('withdraw')}>
            {t('answer.withdraw')}
            <span className="visually-hidden">: {format.dateTime(answer.createdAt)}</span>
          </Button>
        </div>
      )}
      {acting === 'withdraw' && <WithdrawAnswer answer={answer} status={current} onDone={close} />}
    </div>
  )
}

function EditAnswer({ answer, onDone }: { answer: OfficialResponse; onDone: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [fields, setFields] = useState<AnswerTexts>({
    textTranslations: answer.textTranslations ?? {},
    teamTranslations: answer.teamTranslations ?? {},
  })
  const [notify, setNotify] = useState(false)
  const isPublic = answer.visibility === 'public'
  const missing = useMissingTexts(isPublic ? { text: fields.textTranslations, team: fields.teamTranslations } : {})
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'official-responses',
        answer.id,
        { attributes: { ...fields, notify, waived: missing.waived } },
        { lockVersion: answer.meta.lockVersion },
      ),
    onSuccess: async () => {
      showToast({ text: t('answer.edited') })
      onDone()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <div className="admin-form">
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <p>{t(isPublic ? 'answer.edit-about' : 'answer.edit-about-private')}</p>
      <AnswerFields fields={fields} onChange={setFields} isPublic={isPublic} words={words} prefix={`${answer.id}-`} />
      <CheckInput name="notify" label={t(isPublic ? 'answer.notify' : 'answer.notify-private')} value={notify} onChange={setNotify} />
      {missing.choice}
      <div className="row">
        <Button pending={save.isPending} disabled={missing.isOpen} onClick={() => save.mutate()}>
          {t('answer.save-edit')}
        </Button>
        <Button kind="secondary" onClick={onDone}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  )
}

function WithdrawAnswer({ answer, status, onDone }: { answer: OfficialResponse; status: string | undefined; onDone: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [reason, setReason] = useState<Translated>({})
  const missing = useMissingTexts(answer.visibility === 'public' ? { withdrawalReason: reason } : {})
  const withdraw = useMutation({
    mutationFn: () =>
      api.update(
        'official-responses',
        answer.id,
        { attributes: { withdrawalReasonTranslations: reason, waived: missing.waived } },
        { lockVersion: answer.meta.lockVersion },
      ),
    onSuccess: async () => {
      showToast({ text: t('answer.withdrawn-now') })
      onDone()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(withdraw.error)
  return (
    <ConfirmDialog
      title={t('answer.withdraw-title')}
      isOpen
      onClose={onDone}
      onConfirm={() => withdraw.mutateAsync().then(undefined, () => undefined)}
      confirmLabel={t('answer.withdraw')}
      cancelLabel={t('common.cancel')}
      confirmDisabled={!hasText(reason) || missing.isOpen}
      danger
    >
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <p>
        {t('answer.withdraw-about')} {status && t('answer.status-stays', { status })}
      </p>
      <TranslatedTexts
        languages={site.languages}
        source={site.locale}
        fields={[{ name: 'withdrawalReasonTranslations', label: t('queue.reason'), hint: t('answer.withdraw-hint'), rows: 3 }]}
        values={{ withdrawalReasonTranslations: reason }}
        onChange={(_, text) => setReason(text)}
        messageOf={words.messageOf}
        words={words.texts}
      />
      {missing.choice}
    </ConfirmDialog>
  )
}
