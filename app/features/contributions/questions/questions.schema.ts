/** Somebody of the team who may answer a question. */
export interface Answerer {
  id: string
  name: string
}
