import { type FormEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { describeFaults, type SentFault } from './describe-faults.ts'
import { FromProfile } from './lazy-from-profile.ts'
import { FROM_PROFILE } from './profile-fields.ts'
import { FinishLater } from './lazy-finish-later.ts'
import { QuestionField } from './QuestionField.tsx'
import { preloadFields } from '../questionnaire/question-types/fields.ts'
import { ResendNotice } from './ResendNotice.tsx'
import { ReviewStep } from './ReviewStep.tsx'
import { SurveyBar } from './SurveyBar.tsx'
import { PreviewNotice, SurveyIntro } from './SurveyIntro.tsx'
import type { SurveyPageProps } from './SurveyPage.tsx'
import { SurveySection } from './SurveySection.tsx'
import { getFormEncoding, toFormValues } from '../questionnaire/answers.ts'
import { toSentFaults } from './form-faults.ts'
import { listAskedQuestions, hasBranching, walkSurvey } from '../questionnaire/walk-survey.ts'
import { insertPipedAnswers } from '../questionnaire/piped-answers.ts'
import type { Answers } from '../surveys.schema.ts'
import { LATER_STEP, getStepId, isFromReview, REVIEW_STEP } from '../questionnaire/step-ids.ts'
import {
  checkStep,
  getFollowingStep,
  getStepLabelKey,
  locateStep,
  type SurveyStep,
  getPreviousStep,
  buildSteps,
  getResumeStep,
} from '../questionnaire/steps.ts'
import { type StepAddress, useStepAddress } from './use-step-address.ts'
import { LanguageButtons } from '#app/features/participation/keeping/LanguageButtons.tsx'
import { carryTypedText, isTouched } from '#app/features/participation/keeping/keep-form.ts'
import type { FormFields } from '#app/features/participation/keeping/kept-on-device.ts'
import { useStepAnswers } from './use-step-answers.ts'
import { useStepTitle } from './use-step-title.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

/**
 * A survey step by step: sections in the classic variant, one question at a time in the revised one. Each step is a plain form that the
 * server saves to the draft; with a script the steps run in the browser, online or offline.
 */
export function SteppedForm(props: SurveyPageProps) {
  const { survey, version, definition, now, form, address } = props
  const by = props.steps ?? 'sections'
  const { answers, sending, kept, restored, take, saveNow } = useStepAnswers(props)
  const [faults, setFaults] = useState<{ step: string; list: SentFault[]; attempt: number }>()
  const [isLinkRefused, setLinkRefused] = useState(false)
  const words = useSurveyWords()
  const early = useRef<FormFields>([])
  const place = useStepAddress(props.step)
  const id = getStepId(place.step)
  // Load the fields of all steps, so that they can be shown offline.
  useEffect(() => void preloadFields(definition), [definition])
  const walked = walkSurvey(definition, answers, sending.id)
  const steps = buildSteps(walked, by)
  // As they were when this step was opened.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const stepsBefore = useMemo(() => steps, [place.step, restored])
  const found = steps.find((step) => step.id === id)
  const current = found ?? (by === 'sections' ? steps[0] : undefined)
  const goToStep = (step: string) => {
    setFaults(undefined)
    setLinkRefused(false)
    place.go(step)
  }
  /** The link leads to what the server has: it is only shown once that are these answers. */
  const openLater = async (saving: Promise<boolean>) => {
    const [isSaved] = await Promise.all([saving, FinishLater.preload?.()])
    if (isSaved && !FinishLater.preload) goToStep(LATER_STEP)
    else setLinkRefused(true)
  }
  const status = kept && (
    <span className="survey-kept">
      <output>
        <Icon name="check" />
        {words.t('saved')}
      </output>
    </span>
  )
  if (id === LATER_STEP) return <FinishLater survey={survey} definition={definition} sending={sending} address={address} />
  if (id === REVIEW_STEP) {
    return (
      <>
        <SurveyBar project={survey.project}>{status}</SurveyBar>
        <PreviewNotice survey={survey} />
        <ReviewStep {...props} steps={steps} walked={walked} answers={answers} sending={sending} place={place} />
      </>
    )
  }
  if (!current || (id === undefined && by === 'questions')) {
    return (
      <>
        <SurveyBar project={survey.project}>{status}</SurveyBar>
        <SurveyIntro
          survey={survey}
          definition={definition}
          questions={listAskedQuestions(walked)}
          branches={hasBranching(definition)}
          now={now}
          given={props.given}
        />
        <StartLink survey={survey} steps={steps} answers={answers} profile={props.profile} follow={place.follow} />
      </>
    )
  }

  const shown = place.step ?? current.id
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    const wish = submitter instanceof HTMLButtonElement ? submitter.value : ''
    // Only the server knows what the person said about themselves.
    if (wish === FROM_PROFILE) return
    event.preventDefault()
    const given = take(event.currentTarget, current.questions, null)
    const saving = saveNow()
    const after = walkSurvey(definition, given, sending.id)
    const following = buildSteps(after, by)
    if (wish === 'back') return goToStep(isFromReview(shown) ? REVIEW_STEP : getPreviousStep(following, current.id))
    if (wish === 'later') return void openLater(saving)
    const same = following.find((step) => step.id === current.id)
    const list = toSentFaults(same ? checkStep(same, after.kept) : [])
    if (list.length > 0) return setFaults((before) => ({ step: current.id, list, attempt: (before?.attempt ?? 0) + 1 }))
    return goToStep(getFollowingStep(shown, stepsBefore, following, after.kept))
  }

  const refused = form?.values['step'] === shown && !faults ? form : null
  const shownFaults = faults?.step === current.id ? faults.list : (refused?.faults ?? [])
  return (
    <>
      <SurveyBar project={survey.project}>{status}</SurveyBar>
      {by === 'sections' && current === steps[0] && (
        <SurveyIntro
          survey={survey}
          definition={definition}
          questions={listAskedQuestions(walked)}
          branches={hasBranching(definition)}
          now={now}
          given={props.given}
        />
      )}
      <StepForm
        key={`${current.id} ${restored}`}
        step={current}
        {...{
          definition,
          shown,
          by,
          steps,
          answers,
          refused,
          shownFaults,
          survey,
          sending,
          version,
          maps: props.maps,
          profile: props.profile,
          onSubmit,
        }}
        attempt={faults?.attempt ?? 0}
        isLinkRefused={isLinkRefused}
        action={place.href(shown)}
        onShown={(element) => {
          // If answers of an earlier visit were found too, the fields have been created anew with them.
          early.current = carryTypedText(early.current, element)
          if (isTouched(element)) take(element, current.questions, null)
        }}
        onInput={(element, target) => {
          void FinishLater.preload?.()
          take(element, current.questions, target)
        }}
      />
    </>
  )
}

interface StepFormProps extends Pick<SurveyPageProps, 'survey' | 'version' | 'definition' | 'sending' | 'maps' | 'profile'> {
  step: SurveyStep
  /** The step as the address names it. */
  shown: string
  steps: readonly SurveyStep[]
  by: 'sections' | 'questions'
  answers: Answers
  /** The form state if the server refused the step. */
  refused: SurveyPageProps['form']
  shownFaults: readonly SentFault[]
  attempt: number
  /** The answers are only on this device, so there is no link yet to continue on another. */
  isLinkRefused: boolean
  action: string
  /** The fields of this step exist now, and may have been typed into before the script had loaded. */
  onShown: (form: HTMLFormElement) => void
  onInput: (form: HTMLFormElement, changed: EventTarget | null) => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

function StepForm({
  step,
  shown,
  steps,
  by,
  answers,
  refused,
  shownFaults,
  attempt,
  isLinkRefused,
  action,
  survey,
  definition,
  version,
  sending,
  maps,
  profile,
  onShown,
  onInput,
  onSubmit,
}: StepFormProps) {
  const words = useSurveyWords()
  const { t } = words
  const asked = steps.flatMap(({ questions }) => questions)
  const questions = step.questions.map((question) => insertPipedAnswers(question, asked, answers, words))
  // Fields are uncontrolled: they are created with the answers that existed when the step opened.
  const [opened] = useState(answers)
  const values = refused?.values ?? toFormValues(step.questions, { ...answers, ...opened })
  const { byField, summary } = describeFaults(words, questions, shownFaults)
  const number = steps.indexOf(step) + 1
  const at = locateStep(definition, steps, step.id, by)
  const label = steps.length > 1 || by === 'questions' ? t(getStepLabelKey(by, definition, at), at) : ''
  useStepTitle(survey, label, shownFaults.length > 0)
  const heading = useStepFocus(number)
  const page = insertPipedAnswers({ ...step.page, questions: [] }, asked, answers, words)
  const element = useRef<HTMLFormElement>(null)
  const tellShown = useEffectEvent(() => element.current && onShown(element.current))
  useEffect(() => void tellShown(), [])
  const opensPage = steps.find((each) => each.page.id === step.page.id) === step
  const last = questions.at(-1)
  const needsHeading = by === 'questions' ? last?.type === 'consent' || !last : number > 1 && !words.say(page.title).text
  return (
    <>
      <div className="survey-progress" ref={heading} tabIndex={-1}>
        {label && <ProgressBar label={label} value={at.number - 1} max={at.total} />}
      </div>
      {summary.length > 0 && <ErrorSummary key={attempt} title={t('problem')} errors={summary} />}
      {refused && summary.length === 0 && <ResendNotice survey={survey} form={refused} />}
      <form
        ref={element}
        className="survey-form"
        method="post"
        encType={getFormEncoding(questions)}
        action={action}
        noValidate
        onSubmit={onSubmit}
        onInput={(event) => onInput(event.currentTarget, event.target)}
      >
        <input type="hidden" name="id" value={sending.id} />
        <input type="hidden" name="sendKey" value={sending.sendKey} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="step" value={shown} />
        <input type="hidden" name="shown" value={step.questions.map((question) => question.id).join(' ')} />
        {needsHeading && <h1 className="visually-hidden">{survey.title.text}</h1>}
        {profile && <FromProfile profile={profile} questions={questions} values={values} />}
        <SurveySection page={page} title={by === 'questions' ? 'line' : number === 1 ? 'part' : 'whole'} intro={opensPage}>
          {questions.map((question, index) => (
            <QuestionField
              key={question.id}
              question={question}
              values={values}
              errors={byField}
              map={maps?.[question.id]}
              heading={by === 'questions' && index === questions.length - 1 ? 1 : undefined}
            />
          ))}
        </SurveySection>
        {isLinkRefused && (
          <Notice kind="error" title={t('later.refused')}>
            {t('later.refused-text')}
          </Notice>
        )}
        <div className="form-actions">
          <Button type="submit">{t('steps.continue')}</Button>
          {(number > 1 || by === 'questions') && (
            <Button type="submit" kind="secondary" name="go" value="back">
              {t('steps.back')}
            </Button>
          )}
          <Button type="submit" kind="plain" name="go" value="later" disabled={survey.state === 'preview'}>
            {t('later.button')}
          </Button>
        </div>
        <noscript>{import.meta.env.SSR && <LanguageButtons />}</noscript>
      </form>
    </>
  )
}

/** Starts the questions, or continues where somebody stopped. */
function StartLink({
  survey,
  steps,
  answers,
  profile,
  follow,
}: Pick<StepFormProps, 'survey' | 'steps' | 'answers' | 'profile'> & Pick<StepAddress, 'follow'>) {
  const { t } = useSurveyWords()
  useStepTitle(survey, '')
  const begun = Object.entries(answers).some(([id, answer]) => answer !== profile?.filled[id])
  const step = begun ? getResumeStep(steps, answers) : (steps[0]?.id ?? REVIEW_STEP)
  return (
    <div className="form-actions survey-start">
      <a {...follow(step)} className={getButtonClass()}>
        {begun ? t('steps.go-on') : t('steps.start')}
      </a>
      {begun && <span className="survey-note">{t('steps.begun')}</span>}
    </div>
  )
}

/** Moves the focus to the new step, so that screen readers start at its beginning. */
function useStepFocus(number: number) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In an iframe, do not take the focus from somebody typing in the embedding page.
    const isElsewhere = window.parent !== window && !document.hasFocus()
    if (lastStepShown !== undefined && lastStepShown !== number && !isElsewhere) element.current?.focus({ preventScroll: true })
    lastStepShown = number
  }, [number])
  return element
}

/** The last step this page showed; undefined after loading, when the focus stays where it is. */
let lastStepShown: number | undefined
