// Accessibility rules on the pages of goods, prices, outlets, employees and tables.
import { testPages } from './every-page.ts'

testPages('goods')
