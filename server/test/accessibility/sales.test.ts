// Accessibility rules on the pages of sales, customers, tills and reports.
import { testPages } from './every-page.ts'

testPages('sales')
