const RANDOM_VALUES = [
  // Bytes as PostgreSQL writes them, also within a row.
  String.raw`\\+x[0-9a-f]*`,
  '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?`,
]

/** The text without ids, bytes and timestamps, which contain any few characters by chance. For tests of what must not be in a text. */
export const removeRandomValues = (text: string): string => text.replaceAll(new RegExp(RANDOM_VALUES.join('|'), 'gi'), '…')
