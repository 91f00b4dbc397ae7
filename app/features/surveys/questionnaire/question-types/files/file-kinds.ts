/** Kinds of files a question may accept, detected from the content. Pictures are stored without location and camera metadata. */
export const FILE_KINDS = ['picture', 'pdf', 'document', 'sheet'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** Media types of each kind, with the extension for each. */
export const FILE_TYPES: Readonly<Record<FileKind, Readonly<Record<string, string>>>> = {
  picture: { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'image/avif': 'avif', 'image/gif': 'gif' },
  pdf: { 'application/pdf': 'pdf' },
  document: {
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.oasis.opendocument.text': 'odt',
  },
  sheet: {
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  },
}

/** Defaults for a question that sets no kinds or sizes. */
export const ANY_FILE = { kinds: [...FILE_KINDS], maxFiles: 1, maxMegabytes: 10 }

export const MAX_FILES = 10
export const MAX_MEGABYTES = 20
