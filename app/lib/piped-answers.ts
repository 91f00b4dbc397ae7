/** In a survey's text, `{{street}}` is replaced with the answer to the question `street`. */
export const PIPE_PATTERN = /\{\{\s*([A-Za-z][A-Za-z0-9_-]{0,39})\s*\}\}/g

/** A text as it stands for everybody's answers: "…" where a person's earlier answer would be. */
export const replacePipes = (text: string): string => text.replace(PIPE_PATTERN, '…')
