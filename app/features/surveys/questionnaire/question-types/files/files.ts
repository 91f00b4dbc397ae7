import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { createColumn, type QuestionModule } from '../question-type.ts'

export type SentFile = Extract<Answer, { files: unknown }>['files'][number]

/** Field part for new uploads, next to the files that are already stored. */
export const NEW_FILES_PART = 'new'
/** Field part in which the page's script keeps the list. */
export const KEPT_FILES_PART = 'kept'
/** Values of the field `form` for uploading a file early and for removing one. */
export const FILE_FORM = 'file'
export const TAKE_BACK_FORM = 'file-back'

export const listAnswerFiles = (answer: Answer | undefined): readonly SentFile[] =>
  typeof answer === 'object' && 'files' in answer ? answer.files : []

/** Download path for people who may have the file. */
export const buildFileAddress = (id: string): string => `/answer-files/${id}`

/** Files listed in a form's fields, one or a list each. Anything invalid is dropped. */
export function readSentFiles(texts: readonly string[]): SentFile[] {
  return texts.flatMap((text) => {
    try {
      const read: unknown = JSON.parse(text)
      return (Array.isArray(read) ? read : [read]).filter(isSentFile)
    } catch {
      return []
    }
  })
}

function isSentFile(value: unknown): value is SentFile {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, type, bytes } = value as Record<string, unknown>
  return /^[\da-f-]{36}$/i.test(String(id)) && typeof name === 'string' && typeof type === 'string' && Number.isSafeInteger(bytes)
}

const toSentFile = ({ id, name, type, bytes }: SentFile): SentFile => ({ id, name, type, bytes })

export const file: QuestionModule<QuestionOf<'file'>> = {
  read: (question, sent) => file.tidy(question, { files: readSentFiles([...sent(), ...sent(KEPT_FILES_PART)]) }),
  fields: (_question, answer) => ({ '': listAnswerFiles(answer).map((each) => JSON.stringify(toSentFile(each))) }),
  tidy(_question, answer) {
    if (typeof answer !== 'object' || !('files' in answer)) return answer
    const files = [...new Map(answer.files.map((each) => [each.id, toSentFile(each)])).values()]
    return files.length > 0 ? { files } : undefined
  },
  check(question, answer): Fault | undefined {
    if (typeof answer !== 'object' || !('files' in answer)) return { code: 'wrong-type' }
    if (answer.files.length > question.maxFiles) return { code: 'too-many', values: { max: question.maxFiles } }
    const large = answer.files.some(({ bytes }) => bytes > question.maxMegabytes * 1_000_000)
    return large ? { code: 'file-too-large', values: { max: question.maxMegabytes } } : undefined
  },
  faults: ({ kinds }, at): Fault[] => (kinds.length === 0 ? [{ code: 'too-few', pointer: `${at}/kinds`, values: { min: 1 } }] : []),
  words: (_question, answer, { format }) => listAnswerFiles(answer).map(({ name, bytes }) => `${name} (${format.bytes(bytes)})`),
  columns: (question, say) => [
    createColumn(question, 'names', say(question.title), (answer) => joinFileParts(answer, ({ name }) => name)),
    {
      ...createColumn(question, 'addresses', say(question.title), (answer) => joinFileParts(answer, ({ id }) => buildFileAddress(id))),
      holdsAddresses: true,
    },
  ],
  missing: 'file',
}

const joinFileParts = (answer: Answer, part: (file: SentFile) => string): string | null =>
  listAnswerFiles(answer).map(part).join('\n') || null
