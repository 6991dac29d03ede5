import EyotContract

/// Compares two descriptions of an API for the clients of the older one.
///
/// A break is what makes a client fail that followed the older description: a call that is refused now, or an answer
/// that it does not understand. A client has to ignore members and words that it does not know, so new ones in answers
/// are no break.
package struct ClientComparison {
    /// Which side wrote a value: the client in its call, or the server in its answer.
    enum Direction { case call, answer }

    let old: JSONValue
    let new: JSONValue

    package init(old: JSONValue, new: JSONValue) { (self.old, self.new) = (old, new) }

    /// A sentence for each break; none if every client of the older API works with the newer one.
    package var breaks: [String] {
        var breaks: [String] = []
        for (path, item) in members(old, "paths") {
            guard let newItem = new.object?["paths"]?.object?[path] else {
                breaks.append("\(path): the path is gone")
                continue
            }
            for (method, operation) in members(item) {
                let title = "\(method.uppercased()) \(path)"
                if let newOperation = newItem.object?[method] {
                    breaks += self.breaks(of: title, operation, newOperation)
                } else {
                    breaks.append("\(title): the method is gone")
                }
            }
        }
        let (codes, newCodes) = (errorCodes(old), Set(errorCodes(new)))
        return breaks + codes.filter { !newCodes.contains($0) }.map { "error code \($0) is gone" }
    }

    private func errorCodes(_ document: JSONValue) -> [String] {
        let problem = document.object?["components"]?.object?["schemas"]?.object?["Problem"]
        return problem?.object?["properties"]?.object?["code"]?.object?["enum"]?.array?.compactMap(\.string) ?? []
    }

    // MARK: Operations

    private func breaks(of title: String, _ old: JSONValue, _ new: JSONValue) -> [String] {
        let scopes = Set(strings(old, "x-eyot-scopes"))
        return strings(new, "x-eyot-scopes").filter { !scopes.contains($0) }.map {
            "\(title): needs the scope \($0) now"
        }
            + parameterBreaks(title, old, new) + bodyBreaks(title, old, new) + answerBreaks(title, old, new)
    }

    private func parameterBreaks(_ title: String, _ old: JSONValue, _ new: JSONValue) -> [String] {
        let (before, after) = (parameters(old, in: self.old), parameters(new, in: self.new))
        var breaks: [String] = []
        for (name, parameter) in before {
            guard let other = after.first(where: { $0.name == name })?.value else {
                breaks.append("\(title): the parameter \(name) is gone")
                continue
            }
            breaks += shapeBreaks("\(title): \(name)", parameter.object?["schema"], other.object?["schema"], .call)
        }
        for (name, parameter) in after where parameter.object?["required"] == true {
            let wasRequired = before.first { $0.name == name }?.value.object?["required"] == true
            if !wasRequired { breaks.append("\(title): the parameter \(name) is required now") }
        }
        return breaks
    }

    /// The parameters by place and name.
    private func parameters(_ operation: JSONValue, in document: JSONValue) -> [(name: String, value: JSONValue)] {
        (operation.object?["parameters"]?.array ?? []).map { resolved($0, in: document) }.map { parameter in
            let words = ["in", "name"].map { parameter.object?[$0]?.string ?? "" }
            return (words.joined(separator: " "), parameter)
        }
    }

    private func bodyBreaks(_ title: String, _ old: JSONValue, _ new: JSONValue) -> [String] {
        let (body, newBody) = (old.object?["requestBody"], new.object?["requestBody"])
        var breaks: [String] = []
        if newBody?.object?["required"] == true, body?.object?["required"] != true {
            breaks.append("\(title): a body is required now")
        }
        for (type, content) in members(body, "content") {
            guard let other = newBody?.object?["content"]?.object?[type] else {
                breaks.append("\(title): a body of \(type) is not taken any more")
                continue
            }
            breaks += shapeBreaks("\(title): body", content.object?["schema"], other.object?["schema"], .call)
        }
        return breaks
    }

    private func answerBreaks(_ title: String, _ old: JSONValue, _ new: JSONValue) -> [String] {
        var breaks: [String] = []
        for (status, answer) in members(old, "responses") where status.hasPrefix("2") {
            guard let newAnswer = new.object?["responses"]?.object?[status] else {
                breaks.append("\(title): the status \(status) is gone")
                continue
            }
            for (type, content) in members(resolved(answer, in: self.old), "content") {
                guard let other = resolved(newAnswer, in: self.new).object?["content"]?.object?[type] else {
                    breaks.append("\(title): \(status) has no answer of \(type) any more")
                    continue
                }
                breaks += shapeBreaks(
                    "\(title): \(status)", content.object?["schema"], other.object?["schema"], .answer)
            }
        }
        return breaks
    }

    private func shapeBreaks(
        _ place: String, _ old: JSONValue?, _ new: JSONValue?, _ direction: Direction
    ) -> [String] {
        guard let old, let new else { return [] }
        var comparison = ShapeComparison(old: self.old, new: self.new, direction: direction)
        return comparison.breaks(at: place, old, new)
    }

    // MARK: Parts

    private func members(_ value: JSONValue?, _ name: String) -> [(String, JSONValue)] {
        value?.object?[name].map(members) ?? []
    }

    private func members(_ value: JSONValue) -> [(String, JSONValue)] {
        value.object?.members.map { ($0.name, $0.value) } ?? []
    }

    private func strings(_ value: JSONValue, _ name: String) -> [String] {
        value.object?[name]?.array?.compactMap(\.string) ?? []
    }

    private func resolved(_ value: JSONValue, in document: JSONValue) -> JSONValue {
        ShapeComparison.resolved(value, in: document).value
    }
}
