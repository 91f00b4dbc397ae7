import type { Namespace } from '../../lib/namespaces.ts'

/** All texts of a language. */
export type Texts = Record<Namespace, object>
