import EyotContract

extension SchemaForm {
    /// A field as a page draws it.
    struct FieldView {
        struct Choice {
            var value: String
            var title: String
            var isChosen: Bool
        }

        var name: String
        var id: String
        var title: String
        var value: String
        /// Called unlike what surrounds a field, because a template looks there for what is nil here.
        var fieldHint: String?
        var fieldFault: String?
        var choices: [Choice] = []
        var isChoice = false
        var isNumber = false
        var isLong = false
        /// `1` for whole numbers, `any` for others.
        var step = "any"
    }

    /// The fields with what was typed, or with what stands in the object.
    func view(_ object: JSONValue?, typed: FormFields? = nil, faults: FieldFaults = FieldFaults()) -> [FieldView] {
        guard let leaves else {
            var view = FieldView(
                name: root, id: Self.id(of: root), title: root, value: typed?[root] ?? object?.indentedText ?? "{\n}")
            (view.isLong, view.fieldFault) = (true, faults.byField[root])
            view.fieldHint = "No schema is known for this type, so it is written as JSON."
            return [view]
        }
        return leaves.map { leaf in
            let name = name(of: leaf)
            let text = typed.map { $0[name] ?? "" } ?? Self.text(of: object?.at(leaf.path), leaf)
            return view(of: leaf, name, text, faults.byField[name])
        }
    }

    private func view(of leaf: Leaf, _ name: String, _ text: String, _ fault: String?) -> FieldView {
        var view = FieldView(
            name: name, id: Self.id(of: name), title: Shown.line(leaf.path.joined(separator: " · ")), value: text,
            fieldFault: fault
        )
        view.fieldHint = leaf.isOptional ? "may be left out" : nil
        switch leaf.kind {
        case .flag:
            view.isChoice = true
            view.choices = [("true", "yes"), ("false", "no")].map {
                FieldView.Choice(value: $0.0, title: $0.1, isChosen: text == $0.0)
            }
        case .words(let words):
            view.isChoice = true
            view.choices = words.map { word in
                FieldView.Choice(
                    value: word.text, title: Shown.line(word.string ?? word.text), isChosen: text == word.text)
            }
        case .number(let type):
            (view.isNumber, view.step) = (true, type.isWhole ? "1" : "any")
            if type == .date { view.fieldHint = "seconds since 2001-01-01 UTC" }
        case .text: view.isLong = text.contains("\n")
        case .json: (view.isLong, view.fieldHint) = (true, "JSON" + (leaf.isOptional ? ", may be left out" : ""))
        }
        if view.isChoice, leaf.isOptional || text.isEmpty {
            view.choices.insert(FieldView.Choice(value: "", title: "–", isChosen: text.isEmpty), at: 0)
        }
        return view
    }

    private static func text(of value: JSONValue?, _ leaf: Leaf) -> String {
        switch (leaf.kind, value) {
        case (_, nil), (_, .null): ""
        case (.text, .string(let text)): text
        case (.json, let value?): value.indentedText
        case (_, let value?): value.text
        }
    }

    /// An id for the element of a field, whatever characters its name has.
    static func id(of name: String) -> String {
        "f-"
            + name.utf8.map { byte in
                let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                return isPlain ? String(UnicodeScalar(byte)) : "-\(String(byte, radix: 16))"
            }.joined()
    }
}

extension JSONShape.NumberType {
    fileprivate var isWhole: Bool { ![.float, .double, .decimal, .date].contains(self) }
}

extension JSONValue {
    /// The member at a path of names.
    fileprivate func at(_ path: [String]) -> JSONValue? {
        path.reduce(Optional(self)) { $0?.object?[$1] }
    }
}
