import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { buildControlProps, Field } from '#app/ui/field.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { Icon } from '#app/ui/icon.tsx'
import { describeFaults, type SentFault } from '#app/features/surveys/answering/describe-faults.ts'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { toValueList, buildFieldProps, type QuestionProps } from '../question-field.tsx'
import { FILE_TYPES } from './file-kinds.ts'
import {
  FILE_FORM,
  file as fileType,
  listAnswerFiles,
  KEPT_FILES_PART,
  NEW_FILES_PART,
  readSentFiles,
  type SentFile,
  TAKE_BACK_FORM,
} from './files.ts'

/**
 * File upload. Without a script the files are sent with the form, and each stored file has a checkbox to remove it; with a script each file
 * is uploaded as soon as it is chosen, and listed in a hidden field.
 */
export function FileQuestion(props: QuestionProps<QuestionOf<'file'>>) {
  const words = useSurveyWords()
  const { t, format } = words
  const { question, values } = props
  const kinds = t('file.take', { kinds: format.list(question.kinds.map((kind) => t(`file.kinds.${kind}`))) })
  const limit = t('file.limit', { count: question.maxFiles, size: format.bytes(question.maxMegabytes * 1_000_000) })
  const field = buildFieldProps(words, props, [kinds, limit, t('file.promise')].join(' '))
  const keptName = buildFieldName(question.id, KEPT_FILES_PART)
  const sent = readSentFiles([...toValueList(values[field.name]), ...toValueList(values[keptName])])
  const [files, setFiles] = useState(() => listAnswerFiles(fileType.tidy(question, { files: sent })))
  const [problem, setProblem] = useState<string>()
  const [status, setStatus] = useState('')
  const list = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const sending = useRef(false)
  const ready = useHydrated()

  useEffect(() => {
    if (list.current && files.length > 0) list.current.value = JSON.stringify(files)
    // Runs once, for the form's initial files; after that `updateFiles` keeps the field up to date.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  useEffect(() => {
    const form = chooser.current?.form
    if (!form) return
    const holdSubmit = (event: Event) => {
      if (!sending.current) return
      event.preventDefault()
      event.stopImmediatePropagation()
      setProblem(t('file.wait'))
      chooser.current?.focus()
    }
    const clearFiles = () => setFiles([])
    form.addEventListener('submit', holdSubmit)
    form.addEventListener('reset', clearFiles)
    return () => {
      form.removeEventListener('submit', holdSubmit)
      form.removeEventListener('reset', clearFiles)
    }
  }, [t])

  const updateFiles = (next: readonly SentFile[]) => {
    setFiles(next)
    if (!list.current) return
    list.current.value = next.length > 0 ? JSON.stringify(next) : ''
    list.current.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const describeFault = (fault: Omit<SentFault, 'field'>) =>
    describeFaults(words, [question], [{ ...fault, field: field.name }]).byField.get(field.name) ?? t('file.failed')

  const uploadChosenFiles = async () => {
    const input = chooser.current
    const form = input?.form
    const chosen = [...(input?.files ?? [])]
    if (!input || !form || sending.current || chosen.length === 0) return
    sending.current = true
    const problems: string[] = []
    let kept = files
    for (const file of chosen) {
      setStatus(t('file.sending', { name: file.name }))
      const answer = await uploadFile(form, question, kept.length, file)
      if ('file' in answer) updateFiles((kept = [...kept, answer.file]))
      else problems.push(`${file.name}: ${answer.fault ? describeFault(answer.fault) : t('file.failed')}`)
    }
    input.value = ''
    sending.current = false
    setProblem(problems.join(' '))
    setStatus(problems.length < chosen.length ? t('file.kept', { count: chosen.length - problems.length }) : '')
  }
  const chooseEarly = useEffectEvent(() => void uploadChosenFiles())
  // Files chosen before the script had loaded.
  useEffect(() => chooseEarly(), [])
  const takeOut = (file: SentFile) => {
    const form = chooser.current?.form
    if (form) void postForm(form, { form: TAKE_BACK_FORM, file: file.id }).catch(() => {})
    updateFiles(files.filter(({ id }) => id !== file.id))
    setStatus(t('file.removed', { name: file.name }))
    chooser.current?.focus()
  }

  const accept = question.kinds.flatMap((kind) => Object.entries(FILE_TYPES[kind]).flatMap(([type, ending]) => [type, `.${ending}`]))
  return (
    <Field field={{ ...field, error: problem || field.error }}>
      {files.length > 0 && (
        <ul className="sent-files">
          {files.map((file) => (
            <li key={file.id}>
              {ready ? (
                <>
                  <span>
                    {file.name} <span className="meta">{format.bytes(file.bytes)}</span>
                  </span>
                  <Button type="button" kind="plain" size="small" onClick={() => takeOut(file)}>
                    {t('file.remove')} <span className="visually-hidden">{file.name}</span>
                  </Button>
                </>
              ) : (
                <label>
                  <input type="checkbox" name={field.name} value={JSON.stringify(file)} defaultChecked /> {file.name}{' '}
                  <span className="meta">{format.bytes(file.bytes)}</span>
                </label>
              )}
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && !ready && <p className="field-hint">{t('file.untick')}</p>}
      <span className="file-choose">
        <input
          {...buildControlProps(field)}
          ref={chooser}
          type="file"
          name={buildFieldName(question.id, NEW_FILES_PART)}
          multiple={question.maxFiles > 1}
          accept={accept.join(',')}
          onChange={() => void uploadChosenFiles()}
        />
        <span className={getButtonClass({ kind: 'secondary' })} aria-hidden="true">
          {t(question.maxFiles > 1 ? 'file.choose-more' : 'file.choose')}
        </span>
      </span>
      <input
        ref={list}
        type="text"
        hidden
        tabIndex={-1}
        aria-hidden="true"
        autoComplete="off"
        name={keptName}
        onInput={({ currentTarget }) => setFiles(readSentFiles([currentTarget.value]))}
      />
      <output className="sent-files-status">
        {status && (
          <>
            {!status.endsWith('…') && <Icon name="check" />} {status}
          </>
        )}
      </output>
    </Field>
  )
}

type UploadOutcome = { file: SentFile } | { fault: Omit<SentFault, 'field'> | undefined }

/** Uploads one file before the form that will reference it is sent. */
async function uploadFile(form: HTMLFormElement, question: QuestionOf<'file'>, before: number, file: File): Promise<UploadOutcome> {
  if (before >= question.maxFiles) return { fault: { code: 'too-many', values: { max: question.maxFiles } } }
  if (file.size > question.maxMegabytes * 1_000_000) return { fault: { code: 'file-too-large', values: { max: question.maxMegabytes } } }
  try {
    const answer = await postForm(form, { form: FILE_FORM, question: question.id, file })
    const read = (await answer.json()) as { file: SentFile } | { faults?: Omit<SentFault, 'field'>[] }
    return 'file' in read ? { file: read.file } : { fault: read.faults?.[0] }
  } catch {
    return { fault: undefined }
  }
}

function postForm(form: HTMLFormElement, parts: Record<string, string | File>): Promise<Response> {
  const whole = new FormData(form)
  const body = new FormData()
  for (const name of ['id', 'sendKey', 'version']) body.set(name, whole.get(name) ?? '')
  for (const [name, value] of Object.entries(parts)) body.set(name, value)
  return fetch(form.action, { method: 'POST', body })
}
