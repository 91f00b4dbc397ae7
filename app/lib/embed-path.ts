import { splitLanguage } from './languages.ts'

/** Whether a path leads to what pages of other places may show in a frame. */
export const isEmbedPath = (pathname: string): boolean => splitLanguage(pathname).path.startsWith('/embed/')
