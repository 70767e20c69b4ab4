export const StockPage = () => null
