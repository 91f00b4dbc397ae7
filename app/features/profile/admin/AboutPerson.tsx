import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { profileAnswersQuery, profileQuestionsQuery } from '../profile.queries.ts'
import { EnterAnswer } from './EnterAnswer.tsx'

/** What a person said about themselves; the team can enter what they told it. Sensitive answers are shown on demand, and each look is recorded. */
export function AboutPerson({ id, maySeeSensitive }: { id: string; maySeeSensitive: boolean }) {
  const { t } = useTranslation('people')
  const format = useFormat()
  const questions = useSuspenseQuery(profileQuestionsQuery).data
  const answers = useSuspenseQuery(profileAnswersQuery([id])).data
  const look = useMutation({
    mutationFn: async () => (await api.create('profile-answer-looks', { relationships: { user: { type: 'users', id } } })).data.answers,
  })
  const { faults } = useEditorTexts(look.error)
  const [isEntering, setIsEntering] = useState(false)
  // What they said themselves, only they can change.
  const open = questions.filter(
    ({ key, status, sensitive }) =>
      status === 'live' &&
      !sensitive &&
      !answers.some(({ question, source }) => question === key && (source === 'person' || source === 'identity-provider')),
  )
  if (questions.length === 0) return null
  return (
    <section className="admin-panel">
      <h2>{t('questions.person')}</h2>
      {answers.length === 0 ? (
        <p>{t('questions.person-none')}</p>
      ) : (
        <DefinitionList
          items={answers.map((one) => ({
            term: questions.find(({ key }) => key === one.question)?.label ?? one.question,
            value: (
              <>
                <p>{one.text}</p>
                <p className="meta">{`${t(`questions.sources.${one.source}`)} · ${format.shortDate(one.answeredAt)}`}</p>
              </>
            ),
          }))}
        />
      )}
      {open.length > 0 && (
        <div className="row">
          <Button kind="secondary" size="small" onClick={() => setIsEntering(true)}>
            {t('questions.enter-open')}
          </Button>
        </div>
      )}
      {isEntering && <EnterAnswer person={id} questions={open} onClose={() => setIsEntering(false)} />}
      {maySeeSensitive && questions.some(({ sensitive }) => sensitive) && (
        <>
          {look.data ? (
            look.data.length === 0 ? (
              <p>{t('questions.look-none')}</p>
            ) : (
              <DefinitionList items={look.data.map(({ label, text }) => ({ term: label, value: text }))} />
            )
          ) : (
            <>
              <p className="meta">{t('questions.look-text')}</p>
              {faults.map(({ message }) => (
                <Notice key={message} kind="error" title={message} />
              ))}
              <Button kind="secondary" size="small" pending={look.isPending} onClick={() => look.mutate()}>
                {t('questions.look')}
              </Button>
            </>
          )}
        </>
      )}
    </section>
  )
}
