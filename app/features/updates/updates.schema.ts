import type { Words } from '#app/lib/words.ts'

interface Named {
  slug: string
  title: Words
}

export interface UpdateView {
  slug: string
  title: Words
  body: Words
  publishedAt: string
  project: Named
  /** The ones before and after it in the same project. */
  older: Named | null
  newer: Named | null
}
