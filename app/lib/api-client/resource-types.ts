import type * as v from 'valibot'
import type { ContentLanguage } from '../languages.ts'
import type { Translated } from '../translated.ts'
import type { AnyShape, Attribute, Operation, ResourceShapes, ToMany, ToOne, TranslatedAttribute } from './resource-shape.ts'

/** Types that follow from the declared shapes. `R` is the set of shapes: the product's own, unless a test passes another. */

type Simplify<T> = { [K in keyof T]: T[K] } & {}

export type TypeName<R = ResourceShapes> = keyof R & string
export type ShapeOf<T extends TypeName<R>, R = ResourceShapes> = Extract<R[T], AnyShape>

export type TypeWith<O extends Operation, R = ResourceShapes> = {
  [T in TypeName<R>]: R[T] extends { kind: 'collection'; operations: readonly (infer Offered)[] } ? (O extends Offered ? T : never) : never
}[TypeName<R>]

export type SingletonName<R = ResourceShapes, O extends Operation = 'get'> = {
  [T in TypeName<R>]: R[T] extends { kind: 'singleton'; operations: readonly (infer Offered)[] } ? (O extends Offered ? T : never) : never
}[TypeName<R>]

type TranslatedKeys<A> = { [K in keyof A]: A[K] extends TranslatedAttribute ? K : never }[keyof A] & string
type ReadKeys<A, Flag> = {
  [K in keyof A]: A[K] extends Attribute<v.GenericSchema, infer F> ? (F extends Flag ? K : never) : never
}[keyof A] &
  string
type SchemaOf<D> = D extends Attribute<infer S> ? S : never
type WireOf<D> = v.InferInput<SchemaOf<D>>

/** Attributes as a document carries them. */
export type DocumentAttributes<S extends AnyShape> = Simplify<
  { readonly [K in ReadKeys<S['attributes'], true>]: WireOf<S['attributes'][K]> } & {
    readonly [K in ReadKeys<S['attributes'], 'sometimes'>]?: WireOf<S['attributes'][K]>
  } & { readonly [K in TranslatedKeys<S['attributes']>]: string } & {
    readonly [K in TranslatedKeys<S['attributes']> as `${K}Translations`]?: Translated
  }
>

export interface Ref<T extends string = string> {
  readonly type: T
  readonly id: string
}

type Linkage<D> = D extends ToOne<infer T> ? Ref<T> | null : D extends ToMany<infer T> ? readonly Ref<T>[] : never

/** Linkage of a document: to-one whenever the viewer may see it, to-many only if included. */
type DocumentRelationships<S extends AnyShape> = {
  readonly [K in keyof S['relationships'] & string]?: Linkage<S['relationships'][K]>
}

interface DocumentMeta<S extends AnyShape> {
  /** What the viewer may do. */
  readonly can: Readonly<Record<S['can'][number], boolean>>
  readonly lockVersion: S['locked'] extends true ? number : undefined
  /** Translated attributes whose text is not in the answer's language. */
  readonly languages?: Readonly<Partial<Record<TranslatedKeys<S['attributes']>, ContentLanguage>>>
}

type CreateKeys<M, Flag> = {
  [K in keyof M]: M[K] extends { create: infer F } ? (F extends Flag ? K : never) : never
}[keyof M] &
  string
type UpdateKeys<M> = { [K in keyof M]: M[K] extends { update: true } ? K : never }[keyof M] & string
type InputName<M, K extends keyof M & string> = M[K] extends TranslatedAttribute ? `${K}Translations` : K
type SentValue<D> = D extends TranslatedAttribute ? Translated : WireOf<D>
type ReceivedValue<D> = D extends TranslatedAttribute ? Translated : v.InferOutput<SchemaOf<D>>
type SentLink<D> =
  D extends ToOne<infer T, infer C>
    ? C extends 'required'
      ? Ref<T>
      : Ref<T> | null
    : D extends ToMany<infer T>
      ? readonly Ref<T>[]
      : never
type LinkedIds<D> = D extends ToOne<string, infer C> ? (C extends 'required' ? string : string | null) : readonly string[]

type Attributes<S extends AnyShape> = S['attributes']
type Relationships<S extends AnyShape> = S['relationships']

/** `{ [name]: members }`, optional if every member is. */
type MemberGroup<Name extends string, Members> = [keyof Members] extends [never]
  ? unknown
  : { readonly [K in never]: unknown } extends Members
    ? { readonly [K in Name]?: Members }
    : { readonly [K in Name]: Members }

type CreateAttributes<S extends AnyShape> = Simplify<
  {
    readonly [K in CreateKeys<Attributes<S>, 'required'> as InputName<Attributes<S>, K>]: SentValue<Attributes<S>[K]>
  } & { readonly [K in CreateKeys<Attributes<S>, 'optional'> as InputName<Attributes<S>, K>]?: SentValue<Attributes<S>[K]> }
>
type CreateLinks<S extends AnyShape> = Simplify<
  { readonly [K in CreateKeys<Relationships<S>, 'required'>]: SentLink<Relationships<S>[K]> } & {
    readonly [K in CreateKeys<Relationships<S>, 'optional'>]?: SentLink<Relationships<S>[K]>
  }
>

/** What a client sends to create: a resource object without its type. */
export type CreateFields<S extends AnyShape> = Simplify<
  MemberGroup<'attributes', CreateAttributes<S>> &
    MemberGroup<'relationships', CreateLinks<S>> &
    (S extends { clientIds: true } ? { readonly id?: string } : unknown)
>

/** What a client sends to update: only what changes. */
export type UpdateFields<S extends AnyShape> = Simplify<
  MemberGroup<'attributes', { readonly [K in UpdateKeys<Attributes<S>> as InputName<Attributes<S>, K>]?: SentValue<Attributes<S>[K]> }> &
    MemberGroup<'relationships', { readonly [K in UpdateKeys<Relationships<S>>]?: SentLink<Relationships<S>[K]> }>
>

/** What the creating use-case receives: validated, always with an id. */
export type CreateInput<S extends AnyShape> = Simplify<
  { id: string } & {
    [K in CreateKeys<Attributes<S>, 'required'> as InputName<Attributes<S>, K>]: ReceivedValue<Attributes<S>[K]>
  } & {
    [K in CreateKeys<Attributes<S>, 'optional'> as InputName<Attributes<S>, K>]?: ReceivedValue<Attributes<S>[K]>
  } & { [K in CreateKeys<Relationships<S>, 'required'>]: LinkedIds<Relationships<S>[K]> } & {
    [K in CreateKeys<Relationships<S>, 'optional'>]?: LinkedIds<Relationships<S>[K]>
  }
>

/** What the updating use-case receives: validated, only what changes. */
export type UpdateInput<S extends AnyShape> = Simplify<
  {
    [K in UpdateKeys<Attributes<S>> as InputName<Attributes<S>, K>]?: ReceivedValue<Attributes<S>[K]>
  } & {
    [K in UpdateKeys<Relationships<S>>]?: LinkedIds<Relationships<S>[K]>
  }
>

type FilterValue<F> = F extends { schema: v.GenericSchema<string, infer T> }
  ? T extends readonly (infer Item)[]
    ? Item | readonly Item[]
    : T
  : never

/** Filter values as the client passes them. */
export type FilterValues<S extends AnyShape> = {
  readonly [K in keyof S['filters']]?: FilterValue<S['filters'][K]>
}

/** Filter values as the listing use-case receives them. */
export type FilterInput<S extends AnyShape> = {
  readonly [K in keyof S['filters']]?: S['filters'][K] extends {
    schema: v.GenericSchema<string, infer T>
  }
    ? T
    : never
}

export type SortName<S extends AnyShape> = S['sorts'][number]

/** Names that `fields[type]` accepts. */
type FieldName<S extends AnyShape> = (keyof DocumentAttributes<S> & string) | (keyof S['relationships'] & string)

type RelationName<S extends AnyShape> = keyof S['relationships'] & string
type TargetShape<S extends AnyShape, K extends RelationName<S>, R> = S['relationships'][K] extends {
  target: infer T
}
  ? T extends TypeName<R>
    ? ShapeOf<T, R>
    : never
  : never
type NextDepth = { 3: 2; 2: 1; 1: 0; 0: never }

/** Paths that `include` accepts, at most three steps deep: `hub`, `surveys.project.hub`. */
export type IncludePath<S extends AnyShape, R = ResourceShapes, Depth extends keyof NextDepth = 2> = [S] extends [never]
  ? never
  : {
      [K in RelationName<S>]: K | (Depth extends 0 ? never : `${K}.${IncludePath<TargetShape<S, K, R>, R, NextDepth[Depth]>}`)
    }[RelationName<S>]

export type FieldSets<R = ResourceShapes> = {
  readonly [T in TypeName<R>]?: readonly FieldName<ShapeOf<T, R>>[]
}

type PickedFields<T extends string, A, F> = T extends keyof F
  ? F[T] extends readonly (infer Name)[]
    ? Pick<A, Extract<keyof A, Name>>
    : A
  : A

/** A resource as the client returns it: attributes beside `relationships` and `meta`. Omits fields that `F` does not list. */
export type Resource<T extends TypeName<R>, R = ResourceShapes, F = unknown> =
  T extends TypeName<R>
    ? Simplify<
        { readonly type: T; readonly id: string } & PickedFields<T, DocumentAttributes<ShapeOf<T, R>>, F> & {
            readonly relationships: DocumentRelationships<ShapeOf<T, R>>
            readonly meta: DocumentMeta<ShapeOf<T, R>>
          }
      >
    : never
