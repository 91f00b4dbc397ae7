/** Who gets data from a site, in the reader's language. */
export interface ProcessorList {
  title: string
  /** Introduces the list, or says that it is empty. */
  text: string
  processors: readonly { name: string; receives: readonly string[] }[]
}
