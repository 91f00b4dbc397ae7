import type { Fault } from './app-error.ts'

/** Key and options of a fault's sentence in the `errors` namespace: `t(...toFaultTitle(fault))`. */
export function toFaultTitle(
  fault: Pick<Fault, 'code' | 'values'>,
): [key: `codes.${Fault['code']}`, options: Record<string, string | number>] {
  const { max, min } = fault.values ?? {}
  const limit = max ?? min
  return [
    `codes.${fault.code}`,
    {
      ...fault.values,
      ...(limit === undefined ? {} : { context: max === undefined ? 'min' : 'max' }),
      ...(typeof limit === 'number' ? { count: limit } : {}),
    },
  ]
}
