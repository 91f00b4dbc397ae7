/** The accepted types of project documents, detected by content, with their file extensions. Office files with macros are not accepted. */
export const DOCUMENT_TYPES = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'text/csv': 'csv',
  'text/plain': 'txt',
} as const
export type DocumentType = keyof typeof DOCUMENT_TYPES

export const MAX_DOCUMENTS = 200
export const ACCEPTED_ENDINGS = Object.values(DOCUMENT_TYPES).map((ending) => `.${ending}`)
