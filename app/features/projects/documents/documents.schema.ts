/** What may be uploaded as a project's document, told by content, with the ending of its address. Office files with macros are not among them. */
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
