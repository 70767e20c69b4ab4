// The name of an employee, whom tills name by the id of an account or in words.
import { RecordName } from './RecordName.tsx'

export const EmployeeName = ({ id }: { readonly id: string }) =>
  /^[0-9a-f]{24}$/.test(id) ? <RecordName many="accounts" id={id} isPlain /> : <bdi>{id}</bdi>
