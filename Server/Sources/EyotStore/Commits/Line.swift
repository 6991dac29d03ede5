/// What waits, in the order in which it came.
package struct Line<Element> {
    private var elements: [Element] = []
    /// The index of the next element. Those before it have been taken.
    private var head = 0

    package init() {}

    package var count: Int { elements.count - head }

    /// The next element, which stays in the line.
    package var first: Element? { head < elements.count ? elements[head] : nil }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func next() -> Element? {
        guard head < elements.count else { return nil }
        defer { head += 1 }
        return elements[head]
    }

    /// Drops the elements that have been taken, once they are as many as the others.
    package mutating func compact() {
        guard head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}
