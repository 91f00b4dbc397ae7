import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { hasText } from '#app/lib/translated.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { answerDraftQuery, forgetContributions, linkableQuery, moderationSettingsQuery, statusesQuery } from '../contributions.queries.ts'
import { PlainText } from '../parts/contribution-parts.tsx'
import { AnswerFields, type AnswerTexts, useMissingTexts } from './answer-fields.tsx'
import type { AnswerDraft } from './draft-keeper.ts'
import { useAnswerDraft } from './use-answer-draft.ts'

export interface NewAnswerProps {
  contribution: string
  activity: string
  project: string
  /** Its current one. */
  status: string | null
  /** Of a question: it has an answer already. */
  isAnswered: boolean
  /** For a question: who may be shown the answer. Empty for other kinds, whose answers are always public. */
  visibilities: readonly AnswerVisibility[]
}

/** Writes another answer, from the team's draft if there is one. Needs `statusesQuery`, `answerDraftQuery` and `moderationSettingsQuery`. */
export function NewAnswer(props: NewAnswerProps) {
  const queryClient = useQueryClient()
  const [stored] = useSuspenseQuery(answerDraftQuery(props.contribution)).data.data
  const [begun, setBegun] = useState({ count: 0, draft: stored })
  const startAnew = async () => {
    const { data } = await queryClient.fetchQuery({ ...answerDraftQuery(props.contribution), staleTime: 0 })
    setBegun(({ count }) => ({ count: count + 1, draft: data[0] }))
  }
  return <AnswerForm key={begun.count} {...props} stored={begun.draft} onAnew={startAnew} />
}

/** Stands for the current status. */
const KEEP = ''

interface AnswerFormProps extends NewAnswerProps {
  stored: AnswerDraft | undefined
  /** Shows what is stored now. */
  onAnew: () => Promise<void>
}

function AnswerForm({ contribution, activity, project, status: current, isAnswered, visibilities, stored, onAnew }: AnswerFormProps) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const statuses = useSuspenseQuery(statusesQuery(activity)).data.data
  const needsAgreement = useSuspenseQuery(moderationSettingsQuery).data.data[0]?.answersNeedAgreement ?? false
  const [first] = visibilities
  // A question is answered: that is what most people come to do.
  const usual = first && !isAnswered ? statuses.find(({ code, archived }) => code === 'answered' && !archived)?.id : undefined
  const [chosenStatus, setStatus] = useState(stored && (stored.relationships.status?.id ?? KEEP))
  const picked = chosenStatus ?? usual ?? KEEP
  const [chosen, setVisibility] = useState<AnswerVisibility | undefined>(stored?.visibility)
  const visibility = chosen && visibilities.includes(chosen) ? chosen : (first ?? 'public')
  const isPublic = visibility === 'public'
  const [fields, setFields] = useState<AnswerTexts>({
    textTranslations: stored?.textTranslations ?? {},
    teamTranslations: stored?.teamTranslations ?? {},
  })
  const [alsoTo, setAlsoTo] = useState<readonly AlsoAnswered[]>(stored?.others ?? [])
  const missing = useMissingTexts(isPublic ? { text: fields.textTranslations, team: fields.teamTranslations } : {}, stored?.waived)
  const written = {
    ...fields,
    status: picked === KEEP ? null : picked,
    visibility,
    alsoTo: isPublic ? alsoTo.map(({ id }) => id) : [],
    waived: missing.waived,
  }
  const draft = useAnswerDraft(contribution, stored, written)
  const nameStatus = (id: string | null) => statuses.find((status) => status.id === id)?.title ?? ''
  const next = picked === KEEP || picked === current ? undefined : picked
  const asks = needsAgreement && hasText(fields.textTranslations)
  const finish = async (text: string) => {
    draft.keeper.close()
    showToast({ text })
    await forgetContributions(queryClient)
    await onAnew()
  }
  const send = useMutation({
    mutationFn: async () => {
      const kept = await draft.keeper.flush()
      const { status, ...attributes } = written
      return api.create('official-responses', {
        attributes: { ...attributes, ...(kept && { draft: kept.id, draftVersion: kept.meta.lockVersion }) },
        relationships: {
          contribution: { type: 'contributions', id: contribution },
          ...(status !== null && { status: { type: 'contribution-statuses', id: status } }),
        },
      })
    },
    onSuccess: () => finish(t(isPublic ? 'answer.sent' : 'question.sent-private')),
  })
  const ask = useMutation({
    mutationFn: async (asked: boolean) => {
      const kept = await draft.keeper.flush()
      if (!kept) return
      const { data } = await api.update(
        'official-response-drafts',
        kept.id,
        { attributes: { asked } },
        { lockVersion: kept.meta.lockVersion },
      )
      draft.keeper.remember(data)
    },
    onSuccess: async (_, asked) => {
      showToast({ text: t(asked ? 'draft.asked-now' : 'draft.unasked') })
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(send.error ?? ask.error ?? (draft.theirs ? undefined : draft.error))
  const { base } = draft
  return (
    <div className="admin-form">
      {base?.asked && (
        <AskedAnswer draft={base} isChanged={!draft.isSaved} onDone={finish} onReturned={onAnew} onTakeBack={() => ask.mutate(false)} />
      )}
      {base && !base.asked && base.returnReason && (
        <Notice kind="warning" title={t('draft.returned', { name: base.returnedByName ?? t('draft.somebody') })}>
          <PlainText text={base.returnReason} />
        </Notice>
      )}
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {draft.theirs && <OtherDraft draft={draft.theirs} onTheirs={onAnew} onMine={() => draft.keeper.keepMine()} />}
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
        error={words.messageOf('status')}
        value={picked}
        onChange={setStatus}
        options={[
          { value: KEEP, label: t('answer.keep', { status: nameStatus(current) }) },
          ...statuses.filter(({ id, archived }) => !archived && id !== current).map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
      <AnswerFields fields={fields} onChange={setFields} isPublic={isPublic} words={words} />
      {missing.choice}
      {isPublic && <AnswerOthers contribution={contribution} project={project} chosen={alsoTo} onChange={setAlsoTo} />}
      <DraftState draft={base} isSaving={draft.isSaving} isSaved={draft.isSaved} onDiscarded={() => finish(t('draft.discarded'))} />
      <p aria-live="polite">
        {next
          ? t('answer.status-changes', { from: nameStatus(current), to: nameStatus(next) })
          : t('answer.status-stays', { status: nameStatus(current) })}
      </p>
      {alsoTo.length > 0 && isPublic && <p>{t('answer.others-count', { count: alsoTo.length })}</p>}
      {asks && !base?.asked && <p>{t('draft.needs-agreement')}</p>}
      {!(asks && base?.asked && draft.isSaved) && (
        <div className="row">
          <Button
            pending={send.isPending || ask.isPending}
            disabled={missing.isOpen || draft.theirs !== undefined}
            onClick={() => (asks ? ask.mutate(true) : send.mutate())}
          >
            {t(asks ? 'draft.ask' : isPublic ? 'answer.send' : 'question.send-private')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface AskedAnswerProps {
  draft: AnswerDraft
  /** What stands in the form is not what was asked for. */
  isChanged: boolean
  onDone: (text: string) => Promise<void>
  onReturned: () => Promise<void>
  onTakeBack: () => void
}

/** A draft waiting for a colleague, who decides here. The person who asked can withdraw the request. */
function AskedAnswer({ draft, isChanged, onDone, onReturned, onTakeBack }: AskedAnswerProps) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isReturning, setReturning] = useState(false)
  const [reason, setReason] = useState('')
  const { lockVersion, can } = draft.meta
  const agree = useMutation({
    mutationFn: () => api.create('official-response-agreements', { attributes: { draft: draft.id, draftVersion: lockVersion } }),
    onSuccess: () => onDone(t('answer.sent')),
  })
  const giveBack = useMutation({
    mutationFn: () => api.update('official-response-drafts', draft.id, { attributes: { returnReason: reason } }, { lockVersion }),
    onSuccess: async () => {
      showToast({ text: t('draft.returned-now') })
      await forgetContributions(queryClient)
      await onReturned()
    },
  })
  const words = useEditorTexts(agree.error ?? giveBack.error)
  const values = { name: draft.askedByName ?? t('draft.somebody'), date: draft.askedAt ? format.dateTime(draft.askedAt) : '' }
  return (
    <Notice title={t(can.agree ? 'draft.asked' : 'draft.asked-own', values)}>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <p>{t(can.agree ? 'draft.asked-about' : 'draft.asked-own-about')}</p>
      <div className="row">
        {can.agree ? (
          <>
            <Button pending={agree.isPending} disabled={isChanged} onClick={() => agree.mutate()}>
              {t('draft.agree')}
            </Button>
            <Button kind="secondary" disabled={isChanged} onClick={() => setReturning(true)}>
              {t('draft.return')}
            </Button>
          </>
        ) : (
          <Button kind="secondary" onClick={onTakeBack}>
            {t('draft.take-back')}
          </Button>
        )}
      </div>
      {isReturning && (
        <ConfirmDialog
          title={t('draft.return-title')}
          isOpen
          onClose={() => setReturning(false)}
          onConfirm={() => giveBack.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('draft.return')}
          cancelLabel={t('common.cancel')}
          confirmDisabled={reason.trim() === ''}
        >
          {words.faults.map(({ message }) => (
            <Notice key={message} kind="error" title={message} />
          ))}
          <TextAreaInput
            name="returnReason"
            label={t('queue.reason')}
            hint={t('draft.return-hint')}
            value={reason}
            onChange={setReason}
            rows={4}
            required
          />
        </ConfirmDialog>
      )}
    </Notice>
  )
}

/** A colleague saved something else meanwhile: nothing is saved until one of both is chosen. */
function OtherDraft({ draft, onTheirs, onMine }: { draft: AnswerDraft; onTheirs: () => Promise<void>; onMine: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  return (
    <Notice
      kind="warning"
      title={t('draft.changed', { name: draft.writtenByName ?? t('draft.somebody'), date: format.dateTime(draft.writtenAt) })}
    >
      <p>{t('draft.changed-about')}</p>
      <PlainText text={draft.text} />
      <div className="row">
        <Button kind="secondary" onClick={() => void onTheirs()}>
          {t('draft.take-theirs')}
        </Button>
        <Button kind="secondary" onClick={onMine}>
          {t('draft.keep-mine')}
        </Button>
      </div>
    </Notice>
  )
}

interface DraftStateProps {
  draft: AnswerDraft | undefined
  isSaving: boolean
  isSaved: boolean
  onDiscarded: () => Promise<void>
}

/** Who saved the draft last and when, and how to give it up. */
function DraftState({ draft, isSaving, isSaved, onDiscarded }: DraftStateProps) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const [isDiscarding, setDiscarding] = useState(false)
  const discard = useMutation({
    mutationFn: () => (draft ? api.remove('official-response-drafts', draft.id) : Promise.resolve()),
    onSuccess: onDiscarded,
  })
  const values = draft && { name: draft.writtenByName ?? t('draft.somebody'), date: format.dateTime(draft.writtenAt) }
  return (
    <div className="row">
      <output className="meta">{isSaving ? t('draft.saving') : isSaved && values ? t('draft.saved', values) : t('draft.about')}</output>
      {draft && (
        <Button kind="secondary" size="small" onClick={() => setDiscarding(true)}>
          {t('draft.discard')}
        </Button>
      )}
      {isDiscarding && (
        <ConfirmDialog
          title={t('draft.discard-title')}
          isOpen
          onClose={() => setDiscarding(false)}
          onConfirm={() => discard.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('draft.discard')}
          cancelLabel={t('common.cancel')}
          danger
        >
          <p>{t('draft.discard-about')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

interface AlsoAnswered {
  id: string
  number: number
  title: string
  activity: string
  language: string
}

interface AnswerOthersProps {
  contribution: string
  project: string
  chosen: readonly AlsoAnswered[]
  onChange: (chosen: readonly AlsoAnswered[]) => void
}

/** Finds other contributions of the project that get the same answer. */
function AnswerOthers({ contribution, project, chosen, onChange }: AnswerOthersProps) {
  const { t } = useTranslation('contributions-admin')
  const [words, setWords] = useState('')
  const found = useQuery(linkableQuery({ project }, useDebouncedValue(words.trim(), 250))).data
  const isChosen = (id: string) => chosen.some((one) => one.id === id)
  const offered = (found?.data ?? [])
    .filter(({ id }) => id !== contribution && !isChosen(id))
    .map(({ id, number, title, language, relationships }) => ({
      id,
      number,
      title,
      language,
      activity: (found && findLinked(found, relationships.activity)?.title) ?? '',
    }))
  const options: readonly AlsoAnswered[] = [...chosen, ...offered]
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
        {options.map((one) => (
          <CheckInput
            key={one.id}
            name={`others.${one.id}`}
            label={
              <span>
                <span lang={one.language} dir={getDirection(one.language)}>
                  {t('answer.others-one', { number: one.number, title: one.title })}
                </span>{' '}
                <span className="meta">{one.activity}</span>
              </span>
            }
            value={isChosen(one.id)}
            onChange={(on) => onChange(on ? [...chosen, one] : chosen.filter(({ id }) => id !== one.id))}
          />
        ))}
      </div>
    </details>
  )
}
