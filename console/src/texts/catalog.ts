// Texts of products, their variants and pictures, and of categories.
export const text = {
  variants: 'Variants',
  variant: 'Variant',
  addVariant: 'Add a variant',
  newVariant: 'New variant',
  noVariants: 'No variants yet',
  noVariantsHint: 'Price, barcode and stock belong to a variant. A product that comes in one kind has one.',
  editVariant: (name: string) => `Edit ${name}`,
  variantActions: (name: string) => `What to do with ${name}`,
  actions: 'Actions',
  duplicate: 'Make one like it',
  countStock: 'Count stock',
  price: 'Price',
  cost: 'Cost',
  codes: 'SKU and barcode',
  stock: 'Stock',
  stockAll: 'Stock in all',
  notCounted: 'Not counted',
  nowhere: 'At no outlet yet',
  priceWas: 'Usual price',
  moreOutlets: (count: number) => `and ${count} more`,
  showMore: 'Show more',
  productOrphans:
    'Its variants and their stock stay, and belong to no product that is there. Delete them first where they should go too.',
  pricesComputed: 'Calculated from the variant prices. Change them there.',
  firstPicture: 'Shown first',
  otherHost: 'On another host: not loaded here',
  noPictures: 'No pictures',
  addPicture: 'Add',
  pictureUrl: 'URL of a picture',
  picturePlaceholder: 'https://… or several, one a line',
  pictureUp: (n: number) => `Move picture ${n} up`,
  pictureDown: (n: number) => `Move picture ${n} down`,
  pictureRemove: (n: number) => `Remove picture ${n}`,

  categories: 'Categories',
  newCategory: 'New category',
  noCategories: 'No categories yet',
  noCategoriesHint: 'Categories are the shelves of the shop. Make the first one here, by the API, or with an import.',
  findCategory: 'Find a category…',
  noneFits: 'No category has that in its name',
  expandAll: 'Open all',
  collapseAll: 'Close all',
  editCategory: 'Rename and edit',
  addBelow: 'Add one below',
  belowOf: (name: string) => `Below ${name}`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveIn: 'Put below the one above',
  moveOut: 'Put one level up',
  moveTo: 'Move to…',
  moveToTitle: (name: string) => `Move ${name}`,
  moveToLabel: 'Put it below',
  moveToHint: 'It takes along all that is below it.',
  topLevel: 'Top level',
  move: 'Move',
  moved: (name: string, to: string | undefined) =>
    to === undefined ? `${name} is moved.` : `${name} is now below ${to}.`,
  movedTop: (name: string) => `${name} is on the top level now.`,
  notMoved: (name: string) => `${name} could not be moved.`,
  changedMeanwhile: (name: string) =>
    `${name} was changed by somebody else since you saw it. The tree shows it as it is now: move it again, if it still should be moved.`,
  seeProducts: 'See its products',
  missingParent: 'Parent is missing',
  missingParentHint: (id: string) =>
    `It says that it stands below ${id}, and there is no such category. Move it to where it belongs.`,
  inCircle: 'In a circle',
  inCircleHint: 'Following the categories above it leads back to it. Move it to the top level, or below another one.',
  problems: (count: number) =>
    count === 1
      ? 'One category stands in no right place: its parent is missing, or it is below itself. It is marked; move it to where it belongs.'
      : `${count.toLocaleString()} categories stand in no right place: their parents are missing, or they are below themselves. They are marked; move them to where they belong.`,
  keys: 'Arrow keys walk, Enter edits, Alt with arrow keys moves, Delete deletes.',
  keysOfViewer: 'Arrow keys walk, Enter shows one.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteBelow: (direct: number, all: number) =>
    all > direct
      ? `${all.toLocaleString()} categories are below it, ${direct.toLocaleString()} of them directly.`
      : direct === 1
        ? 'One category is below it.'
        : `${direct.toLocaleString()} categories are below it.`,
  deleteChoice: 'What becomes of those below',
  deleteLift: (to: string | undefined) =>
    to === undefined ? 'They move to the top level' : `They move up, below ${to}`,
  deleteAll: (count: number) => (count === 1 ? 'It is deleted too' : `All ${count.toLocaleString()} are deleted too`),
  deleteProducts: (count: number) =>
    count === 0
      ? 'No product stands in what is deleted.'
      : count === 1
        ? 'One product stands there. It stays, and keeps the id of a category that is gone until it is edited.'
        : `${count.toLocaleString()} products stand there. They stay, and keep the id of a category that is gone until they are edited.`,
  deleteForGood: 'This cannot be undone.',
  deletedMany: (count: number) => `${count.toLocaleString()} categories are deleted.`,
} as const
